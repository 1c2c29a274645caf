import { flattenMessages, type Messages } from '@emma/ui/i18n.tsx'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { asLang } from './i18n.ts'

/** The UI kit's texts: the branch `kit` of i18next's resources, edits of superadmins included (R293, R295). */
export function useKitMessages(): Partial<Messages> {
  const { i18n } = useTranslation()
  // i18next mutates the branch in place, so changes are detected by its content.
  const content = JSON.stringify(i18n.getResource(asLang(i18n.resolvedLanguage), 'translation', 'kit') ?? {})
  return useMemo(() => flattenMessages(JSON.parse(content)), [content])
}
