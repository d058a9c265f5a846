/** Compiles the contracts of `testing/contracts` into the cache, if they changed. */
import { compileContracts } from './compile.ts'

compileContracts()
