import kit from '@emma/ui/texts/es.json' with { type: 'json' }
import account from '../features/account/texts/es.json' with { type: 'json' }
import shell from '../shell/i18n/texts/es.json' with { type: 'json' }
import { mergeTexts } from './merge-texts.ts'

/** The Spanish texts of the shell, the login and the kit: needed by every screen, and before anybody is logged in. */
export const texts = mergeTexts({ shell, account, kit })
