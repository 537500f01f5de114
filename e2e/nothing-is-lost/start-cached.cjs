// Runs the program beside it. The first of its processes that lives for a while leaves what V8 has compiled; the later ones
// begin with that, and start in two thirds of the time.
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { constants, Script } = require('node:vm');

const WARM_MS = 3_000;
const file = join(__dirname, 'program.cjs');
const cache = join(__dirname, 'program.cache');
const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;

// Pure ASCII, as esbuild writes it: read so, each character takes one byte.
const script = new Script(
  `(function(require,module,exports,__filename,__dirname){${readFileSync(file, 'latin1')}\n})`,
  {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  },
);

function keepCompiled() {
  const written = `${cache}.${process.pid}`;
  writeFileSync(written, script.createCachedData());
  // Whole or not at all: this process may be killed at any time.
  renameSync(written, cache);
}

if (!cachedData) setTimeout(keepCompiled, WARM_MS).unref();
const program = { exports: {} };
script.runInThisContext()(createRequire(file), program, program.exports, file, __dirname);
