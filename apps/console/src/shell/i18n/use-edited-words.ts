import type { Words } from '@emma/ui/words.tsx'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { featureNamespace } from '../../texts/feature-namespace.ts'

/** The kit's words as they are on the server, where superadmins edit them under `kit.` (R293, R295). */
export function useEditedWords(): Partial<Words> | undefined {
  const { i18n } = useTranslation()
  const tree: unknown = i18n.getResource(i18n.resolvedLanguage ?? 'en', featureNamespace, 'kit')
  return useMemo(() => (isTree(tree) ? flat(tree) : undefined), [tree])
}

function flat(tree: Record<string, unknown>, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) => {
      if (isTree(value)) return Object.entries(flat(value, `${prefix}${key}.`))
      return typeof value === 'string' ? [[prefix + key, value]] : []
    }),
  )
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
