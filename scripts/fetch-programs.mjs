// Installs the servers that tests need. `npm test` runs it beside the tests that need none of them.
import { findMailPrograms, findPostgres15 } from './find-programs.mjs'

findPostgres15()
findMailPrograms()
