// soak_games.mjs -- whole games of all three games, as test_games.mjs plays one.

process.argv.push('hadara', 'greement', 'hacienda');
await import('./test_games.mjs');
