import { flattenMessages, type Messages } from '@emma/ui/i18n.tsx'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { asLang } from './i18n.ts'

/** The kit's texts: the branch `kit` of i18next's resources, edits of superadmins included (R293, R295). */
export function useKitMessages(): Partial<Messages> {
  const { i18n } = useTranslation()
  // i18next changes the branch in place: only its content tells whether it is another one.
  const content = JSON.stringify(i18n.getResource(asLang(i18n.resolvedLanguage), 'translation', 'kit') ?? {})
  return useMemo(() => flattenMessages(JSON.parse(content)), [content])
}
