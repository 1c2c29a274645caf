import { merged } from './merged.ts'

/** The Spanish texts of the features, in one chunk that comes with the first screen inside. */
export const texts = merged(
  import.meta.glob(['../features/*/es.ts', '!../features/account/es.ts'], { eager: true, import: 'es' }),
)
