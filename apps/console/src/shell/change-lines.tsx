import { useFormat } from '@emma/ui/words.tsx'
import { Code } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface ChangeLinesProps {
  /** Field → [before, after]. */
  changes: Readonly<Record<string, readonly [unknown, unknown]>>
  /** `{area}.{resource}`: where the fields have their names. */
  names: string
}

/** What changed of a record: each field with its value before and after. */
export function ChangeLines({ changes, names }: ChangeLinesProps): ReactNode {
  const { t } = useTranslation()
  const show = useShownValue()
  const lines = Object.entries(changes)
  if (lines.length === 0) return null
  return (
    <ul style={{ margin: '4px 0 0', padding: 0, listStyle: 'none' }}>
      {lines.map(([field, [before, after]]) => (
        <li key={field} style={{ overflowWrap: 'anywhere' }}>
          {t(`${names}.fields.${field}`, { defaultValue: field })}:{' '}
          {before !== null && <>{show(before)} → </>}
          {show(after)}
        </li>
      ))}
    </ul>
  )
}

const longest = 160

function useShownValue(): (value: unknown) => ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  return value => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
      return <em>{t('history.nothing')}</em>
    if (typeof value === 'number') return format.number(value)
    if (typeof value === 'boolean') return t(value ? 'history.yes' : 'history.no')
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return <Code>{text.length > longest ? `${text.slice(0, longest)}…` : text}</Code>
  }
}
