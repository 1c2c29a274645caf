import { merged } from './merged.ts'

/** The German texts of the features, in one chunk that comes with the first screen inside. */
export const texts = merged(
  import.meta.glob(['../features/*/de.ts', '!../features/account/de.ts'], { eager: true, import: 'de' }),
)
