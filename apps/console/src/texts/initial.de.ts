import kit from '@emma/ui/texts/de.json' with { type: 'json' }
import account from '../features/account/texts/de.json' with { type: 'json' }
import shell from '../shell/i18n/texts/de.json' with { type: 'json' }
import { mergeTexts } from './merge-texts.ts'

/** German texts of the shell, the login and the UI kit, bundled because every screen needs them. */
export const texts = mergeTexts({ shell, account, kit })
