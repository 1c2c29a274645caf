import { es } from '../shell/es.ts'
import { merged } from './merged.ts'

/** All Spanish texts in one chunk: the shell's and every feature's. */
export const texts = merged(es, import.meta.glob('../features/*/es.ts', { eager: true, import: 'es' }))
