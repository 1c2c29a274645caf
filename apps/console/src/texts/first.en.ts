import { en as account } from '../features/account/en.ts'
import { en as shell } from '../shell/i18n/en.ts'
import { merged } from './merged.ts'

/** The English texts that are needed before anybody is logged in, and by every screen. */
export const texts = merged({ shell, account })
