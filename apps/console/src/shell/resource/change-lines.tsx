import { useFormat } from '@emma/ui/i18n.tsx'
import { Code } from '@mantine/core'
import type { TFunction } from 'i18next'
import { type ReactNode, Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { campaignStateName } from './campaign-state.tsx'
import { choiceText } from './choice-text.ts'
import { RecordName, resourceOfField } from './record-name.tsx'

interface ChangeLinesProps {
  /** Field → [before, after]. */
  changes: Readonly<Record<string, readonly [unknown, unknown]>>
  /** `{area}.{resource}`, the prefix of the field labels. */
  names: string
}

/** Lists the changed fields of a record with label, old and new value. */
export function ChangeLines({ changes, names }: ChangeLinesProps): ReactNode {
  const { t } = useTranslation()
  const show = useShownValue(names)
  const lines = Object.entries(changes)
  if (lines.length === 0) return null
  return (
    <ul style={{ margin: '4px 0 0', padding: 0, listStyle: 'none' }}>
      {lines.map(([field, [before, after]]) => (
        <li key={field} style={{ overflowWrap: 'anywhere' }}>
          {changedField(t, names, field)}: {before !== null && <>{show(field, before)} → </>}
          {show(field, after)}
        </li>
      ))}
    </ul>
  )
}

/**
 * Label of a logged field.
 *
 * @param names like in `ChangeLines`
 */
export function changedField(t: TFunction, names: string, field: string): string {
  return t([`${names}.fields.${field}`, `logged_fields.${field}`], { defaultValue: field })
}

const longest = 160

function useShownValue(names: string): (field: string, value: unknown) => ReactNode {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const word = (field: string, value: string): string | null => {
    const keys = [choiceText(names, field, value), `history.values.${value}`]
    const key = keys.find(each => i18n.exists(each))
    return key === undefined || !/^[a-z_]+$/.test(value) ? null : t(key)
  }
  return (field, value) => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
      return <em>{t('history.nothing')}</em>
    const resource = resourceOfField(field)
    const ids = [value].flat()
    if (resource && ids.every(id => typeof id === 'number'))
      return ids.map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <RecordName resource={resource} id={id} />
        </Fragment>
      ))
    if (field === 'valid' && typeof value === 'number') return t(`campaign_state.${campaignStateName(value)}`)
    if (typeof value === 'number') return format.number(value)
    if (typeof value === 'boolean') return t(value ? 'history.yes' : 'history.no')
    if (typeof value === 'string') {
      if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return format.dateTime(value)
      const known = word(field, value)
      if (known !== null) return known
    }
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return <Code>{text.length > longest ? `${text.slice(0, longest)}…` : text}</Code>
  }
}
