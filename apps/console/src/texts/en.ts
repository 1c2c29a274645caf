import { merged } from './merged.ts'
import { en } from '../shell/en.ts'

/** All English texts in one chunk: the shell's and every feature's. */
export const texts = merged(en, import.meta.glob('../features/*/en.ts', { eager: true, import: 'en' }))
