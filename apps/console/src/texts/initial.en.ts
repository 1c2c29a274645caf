import kit from '@emma/ui/texts/en.json' with { type: 'json' }
import account from '../features/account/texts/en.json' with { type: 'json' }
import shell from '../shell/i18n/texts/en.json' with { type: 'json' }
import { mergeTexts } from './merge-texts.ts'

/** English texts of the shell, the login and the UI kit, bundled because every screen needs them. */
export const texts = mergeTexts({ shell, account, kit })
