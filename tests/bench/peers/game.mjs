// The small game that never ends, for servers without one of ours: two players
// in turn put a stone on one of nine cells; the ninth stone clears the board.

export const CELLS = 9;

export function fresh() {
  return { cells: Array(CELLS).fill(null), stones: 0 };
}

// Whether seat PLAYER may play CELL, and the state if so.
export function place(g, player, cell) {
  if (!Number.isInteger(cell) || cell < 0 || cell >= CELLS) return false;
  if (g.cells[cell] !== null) return false;
  g.cells[cell] = player;
  if (++g.stones === CELLS) {
    for (let i = 0; i < CELLS; i++) g.cells[i] = null;
    g.stones = 0;
  }
  return true;
}
