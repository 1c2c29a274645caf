import { de } from '../shell/de.ts'
import { merged } from './merged.ts'

/** All German texts in one chunk: the shell's and every feature's. */
export const texts = merged(de, import.meta.glob('../features/*/de.ts', { eager: true, import: 'de' }))
