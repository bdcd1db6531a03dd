# game.mk -- the built-in boards, as C.  Their order is the meaning of the
# option "board": add at the end.

HACIENDA_BOARDS = symmetric asymmetric five_lagoons crucible
HACIENDA_DIR = core/games/hacienda/boards
GAME_DATA += $(BUILD)/gen/hacienda_boards.c
GAME_PARTS += $(HACIENDA_BOARDS)
$(BUILD)/gen/hacienda_boards.c: $(HACIENDA_DIR)/embed.sh \
                                $(HACIENDA_BOARDS:%=$(HACIENDA_DIR)/%.haz)
	$(say) GEN $@
	$(Q)mkdir -p $(@D)
	$(Q)sh $(made_of) >$@
