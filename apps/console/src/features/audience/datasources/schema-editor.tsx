import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { Button } from '@mantine/core'
import { IconLock, IconPlus } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './schema-editor.module.css'
import { columnLabel } from '../../../shell/resource/column-label.ts'
import { SchemaRow } from './schema-row.tsx'

interface SchemaEditorProps {
  /** Id of the element that error links focus. */
  id: string
  columns: readonly MemberColumn[]
  onChange: (columns: MemberColumn[]) => void
  /** Validation errors by column index. */
  faults: ReadonlyMap<number, string>
  isDisabled: boolean
}

/** Editor of a datasource's columns: custom ones are editable, fixed ones are only listed. */
export function SchemaEditor({ id, columns, onChange, faults, isDisabled }: SchemaEditorProps): ReactNode {
  const { t } = useTranslation()
  const fresh = useRef<number | null>(null)
  const root = useRef<HTMLElement>(null)
  // A layout effect runs in the commit that adds the row; a later effect could belong to an earlier render.
  useLayoutEffect(() => {
    if (fresh.current === null) return
    root.current?.querySelector<HTMLInputElement>(`[data-column="${fresh.current}"] input`)?.focus()
    fresh.current = null
  })

  const places = columns.map((column, index) => ({ column, index }))
  const own = places.filter(({ column }) => !column.is_fixed)
  const fixed = places.filter(({ column }) => column.is_fixed)
  const put = (index: number, column: MemberColumn) =>
    onChange(columns.map((old, place) => (place === index ? column : old)))
  const add = () => {
    onChange([...columns, { ...emptyColumn, position: columns.length }])
    fresh.current = columns.length
  }

  return (
    <section ref={root} id={id} tabIndex={-1} className={classes.editor} aria-labelledby={`${id}-title`}>
      <header className={classes.head}>
        <div>
          <h2 id={`${id}-title`} className={classes.title}>
            {t('audience.membertable.sections.columns')}
          </h2>
          <p className={classes.text}>{t('audience.membertable.sections.columns_text')}</p>
        </div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} stroke={2} />}
          onClick={add}
          disabled={isDisabled || columns.length >= 500}
        >
          {t('audience.membertable.add_column')}
        </Button>
      </header>
      {own.length === 0 ? (
        <div className={classes.none}>
          <p>{t('audience.membertable.no_columns')}</p>
          <Button
            variant="subtle"
            disabled={isDisabled}
            onClick={() => onChange(renumbered([...columns, ...usualColumns(t)]))}
          >
            {t('audience.membertable.usual')}
          </Button>
        </div>
      ) : (
        <div className={classes.rows}>
          <div className={classes.heads} aria-hidden>
            {['label', 'column_name', 'data_type', 'details'].map(head => (
              <span key={head}>{t(`audience.column.${head}`)}</span>
            ))}
            <span />
          </div>
          {own.map(({ column, index }, order) => (
            <SchemaRow
              key={column.schema_id ?? `new ${index}`}
              place={index}
              column={column}
              fault={faults.get(index)}
              isDisabled={isDisabled}
              onChange={next => put(index, next)}
              onRemove={() => onChange(renumbered(columns.filter((_, place) => place !== index)))}
              onUp={order > 0 ? () => onChange(swapped(columns, index, own[order - 1]?.index)) : undefined}
              onDown={
                order < own.length - 1
                  ? () => onChange(swapped(columns, index, own[order + 1]?.index))
                  : undefined
              }
            />
          ))}
        </div>
      )}
      {fixed.length > 0 && (
        <details className={classes.fixed}>
          <summary>{t('audience.membertable.fixed', { count: fixed.length })}</summary>
          <p className={classes.text}>{t('audience.membertable.fixed_text')}</p>
          <ul className={classes.chips}>
            {fixed.map(({ column }) => (
              <li key={column.column_name} className={classes.chip}>
                <IconLock size={12} aria-hidden />
                <span>{columnLabel(column, t)}</span>
                <code>{column.column_name}</code>
                <span className={classes.kind}>{t(`audience.types.${column.data_type}`)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

const emptyColumn: MemberColumn = {
  column_name: '',
  label: '',
  data_type: 'string',
  length: null,
  options: [],
  is_key: false,
  nullable: true,
  is_filterable: true,
  is_pii: false,
  is_fixed: false,
  topic: null,
  position: 0,
}

/** Columns that most datasources have, with the names that templates expect. */
function usualColumns(t: TFunction): MemberColumn[] {
  const usual = {
    salutation: 'string',
    firstname: 'string',
    lastname: 'string',
    birthday: 'date',
    city: 'string',
  } as const
  return Object.entries(usual).map(([column_name, data_type]) => ({
    ...emptyColumn,
    column_name,
    label: t(`audience.membertable.usual_labels.${column_name}`),
    data_type,
    is_pii: column_name !== 'salutation',
  }))
}

function swapped(columns: readonly MemberColumn[], one: number, other: number | undefined): MemberColumn[] {
  const next = [...columns]
  const [first, second] = [columns[one], columns[other ?? -1]]
  if (first && second && other !== undefined) {
    next[one] = second
    next[other] = first
  }
  return renumbered(next)
}

function renumbered(columns: readonly MemberColumn[]): MemberColumn[] {
  return columns.map((column, position) => ({ ...column, position }))
}
