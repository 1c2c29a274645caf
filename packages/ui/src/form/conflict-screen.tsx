import { Button, Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useFormat, useTranslate } from '../i18n.tsx'
import classes from './conflict-screen.module.css'
import type { Difference, Side } from './merge-versions.ts'
import type { FormConflict } from './use-record-form.ts'

export interface ConflictScreenProps {
  conflict: FormConflict
  labels: Readonly<Record<string, string | undefined>>
  isSaving: boolean
  // Method syntax, so that forms with narrower field names are assignable.
  showValue?(field: string, value: unknown): ReactNode
}

/** Shows two versions of a record side by side; the user selects one per field. */
export function ConflictScreen(props: ConflictScreenProps): ReactNode {
  const { conflict, labels, isSaving } = props
  const t = useTranslate()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const isDecided = conflict.differences.every(difference => difference.choice !== null)
  return (
    <section className={classes.conflict} aria-labelledby="conflict-title">
      <Title order={2} id="conflict-title" ref={heading} tabIndex={-1}>
        {t('form.conflict_title')}
      </Title>
      <Text c="dimmed">{t('form.conflict_text')}</Text>
      <div className={classes.versions} role="table" aria-labelledby="conflict-title">
        <div className={classes.head} role="row">
          <span role="columnheader">{t('form.conflict_field')}</span>
          <span role="columnheader">
            {t('form.conflict_mine')}
            <Button size="compact-xs" variant="default" onClick={() => conflict.choose(null, 'mine')}>
              {t('form.conflict_all_mine')}
            </Button>
          </span>
          <span role="columnheader">
            {t('form.conflict_theirs')}
            <Button size="compact-xs" variant="default" onClick={() => conflict.choose(null, 'theirs')}>
              {t('form.conflict_all_theirs')}
            </Button>
          </span>
        </div>
        {conflict.differences.map(difference => (
          <div
            key={`${difference.field} ${difference.place?.index}`}
            className={classes.difference}
            role="row"
          >
            <strong role="rowheader">{nameOf(difference, labels, t)}</strong>
            <Version {...props} difference={difference} side="mine" />
            <Version {...props} difference={difference} side="theirs" />
          </div>
        ))}
      </div>
      <Group gap="xs">
        <Button loading={isSaving} disabled={!isDecided} onClick={() => void conflict.save()}>
          {t('form.conflict_save')}
        </Button>
        <Button variant="default" disabled={isSaving} onClick={conflict.cancel}>
          {t('action.cancel')}
        </Button>
      </Group>
    </section>
  )
}

function Version(props: ConflictScreenProps & { difference: Difference; side: Side }): ReactNode {
  const { conflict, labels, difference, side } = props
  const t = useTranslate()
  const { field, place, choice } = difference
  const value = difference[side]
  const name = nameOf(difference, labels, t)
  return (
    <div role="cell">
      <label className={classes.version} data-chosen={choice === side || undefined}>
        <input
          type="radio"
          name={`conflict-${field}-${place?.index}`}
          checked={choice === side}
          aria-label={t(side === 'mine' ? 'form.conflict_keep_mine' : 'form.conflict_keep_theirs', {
            name,
          })}
          onChange={() => conflict.choose(difference, side)}
        />
        <span className={classes.value} data-code={place !== undefined || undefined}>
          {(place ? null : props.showValue?.(field, value)) ?? <PlainValue value={value} />}
        </span>
      </label>
    </div>
  )
}

/** "Subject", or "HTML, line 12". */
function nameOf(
  { field, place }: Difference,
  labels: ConflictScreenProps['labels'],
  t: ReturnType<typeof useTranslate>,
): string {
  const name = labels[field] ?? field
  return place ? t('form.conflict_line', { name, line: place.line }) : name
}

function PlainValue({ value }: { value: unknown }): ReactNode {
  const t = useTranslate()
  const format = useFormat()
  if (value === null || value === undefined || value === '') {
    return <em className={classes.nothing}>{t('form.conflict_empty')}</em>
  }
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (typeof value === 'number') return format.number(value)
  if (typeof value === 'string') return value
  return JSON.stringify(value, null, 2)
}
