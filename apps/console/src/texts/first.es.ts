import { es as account } from '../features/account/es.ts'
import { es as shell } from '../shell/i18n/es.ts'
import { merged } from './merged.ts'

/** The Spanish texts that are needed before anybody is logged in, and by every screen. */
export const texts = merged({ shell, account })
