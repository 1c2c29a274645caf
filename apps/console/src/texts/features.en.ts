import { merged } from './merged.ts'

/** The English texts of the features, in one chunk that comes with the first screen inside. */
export const texts = merged(
  import.meta.glob(['../features/*/en.ts', '!../features/account/en.ts'], { eager: true, import: 'en' }),
)
