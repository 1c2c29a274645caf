import { de as account } from '../features/account/de.ts'
import { de as shell } from '../shell/i18n/de.ts'
import { merged } from './merged.ts'

/** The German texts that are needed before anybody is logged in, and by every screen. */
export const texts = merged({ shell, account })
