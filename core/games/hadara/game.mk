# game.mk -- the standard tables, as C.  Versions of them: add at the end.

HADARA_TABLES = 1
HADARA_DIR = core/games/hadara/data
GAME_DATA += $(BUILD)/gen/hadara_tables.c
GAME_PARTS += $(HADARA_TABLES)
$(BUILD)/gen/hadara_tables.c: $(HADARA_DIR)/embed.sh \
                              $(wildcard $(HADARA_DIR)/*/*.csv)
	$(say) GEN $@
	$(Q)mkdir -p $(@D)
	$(Q)sh $< $(HADARA_TABLES:%=$(HADARA_DIR)/%) >$@
