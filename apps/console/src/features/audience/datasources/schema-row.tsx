import { type FieldType, fieldTypes } from '@emma/contract/rules.ts'
import { languages } from '@emma/contract/resources/client.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { TagsBox } from '@emma/ui/form/tags-box.tsx'
import { ActionIcon, Checkbox, NativeSelect, NumberInput, TextInput, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { columnNameOf } from './column-name.ts'
import classes from './schema-editor.module.css'

interface SchemaRowProps {
  place: number
  column: MemberColumn
  fault: string | undefined
  isDisabled: boolean
  onChange: (column: MemberColumn) => void
  onRemove: () => void
  /** Undefined for the first and the last column. */
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
}

/** Row of one column: label, name (fixed once saved), type, and the options of the type. */
export function SchemaRow(props: SchemaRowProps): ReactNode {
  const { place, column, fault, isDisabled, onChange } = props
  const { t } = useTranslation()
  const isSaved = column.schema_id !== undefined
  const title =
    column.label || column.column_name || t('audience.membertable.column_number', { number: place + 1 })
  const label = (field: string) => t(`audience.column.${field}`)

  function rename(next: string): void {
    const follows = !isSaved && column.column_name === columnNameOf(column.label)
    onChange({ ...column, label: next, ...(follows ? { column_name: columnNameOf(next) } : {}) })
  }

  return (
    <div
      className={classes.row}
      role="group"
      aria-label={title}
      data-column={place}
      data-faulty={fault !== undefined || undefined}
    >
      <TextInput
        className={classes.label}
        aria-label={label('label')}
        placeholder={label('label')}
        value={column.label}
        maxLength={255}
        disabled={isDisabled}
        error={fault !== undefined}
        onChange={event => rename(event.currentTarget.value)}
      />
      <TextInput
        className={classes.name}
        classNames={{ input: classes.mono ?? '' }}
        aria-label={label('column_name')}
        placeholder={label('column_name')}
        value={column.column_name}
        maxLength={63}
        readOnly={isSaved}
        variant={isSaved ? 'unstyled' : 'default'}
        disabled={isDisabled}
        title={isSaved ? t('audience.membertable.name_stays') : undefined}
        onChange={event => onChange({ ...column, column_name: event.currentTarget.value.toLowerCase() })}
      />
      <NativeSelect
        className={classes.type}
        aria-label={label('data_type')}
        disabled={isDisabled}
        value={column.data_type}
        data={fieldTypes.map(type => ({ value: type, label: t(`audience.types.${type}`) }))}
        onChange={event => {
          const type = fieldTypes.find(known => known === event.currentTarget.value)
          if (type) onChange({ ...column, data_type: type, length: hasLength(type) ? column.length : null })
        }}
      />
      <div className={classes.details}>
        <Tooltip label={t('audience.membertable.filterable_hint')}>
          <Checkbox
            size="sm"
            label={label('is_filterable')}
            checked={column.is_filterable}
            disabled={isDisabled}
            onChange={event => onChange({ ...column, is_filterable: event.currentTarget.checked })}
          />
        </Tooltip>
        <Tooltip label={t('audience.membertable.pii_hint')}>
          <Checkbox
            size="sm"
            label={label('is_pii')}
            checked={column.is_pii}
            disabled={isDisabled}
            onChange={event => onChange({ ...column, is_pii: event.currentTarget.checked })}
          />
        </Tooltip>
        {column.data_type === 'bool' && (
          <TopicNames
            names={column.topic}
            isDisabled={isDisabled}
            onChange={topic => onChange({ ...column, topic })}
          />
        )}
        {hasLength(column.data_type) && (
          <NumberInput
            className={classes.length}
            size="sm"
            aria-label={label('length')}
            placeholder={t(
              column.data_type === 'text'
                ? 'audience.membertable.length_text'
                : 'audience.membertable.length_string',
            )}
            value={column.length ?? ''}
            min={1}
            max={10_000}
            allowDecimal={false}
            hideControls
            disabled={isDisabled}
            onChange={value => onChange({ ...column, length: typeof value === 'number' ? value : null })}
          />
        )}
        {column.data_type === 'enum' && (
          <TagsBox
            aria-label={label('options')}
            placeholder={column.options.length === 0 ? t('audience.membertable.options_hint') : ''}
            value={column.options}
            disabled={isDisabled}
            onChange={options => onChange({ ...column, options: separated(options) })}
          />
        )}
      </div>
      <div className={classes.tools}>
        <Tool label={t('audience.membertable.up', { name: title })} run={props.onUp} isDisabled={isDisabled}>
          <IconArrowUp size={15} />
        </Tool>
        <Tool
          label={t('audience.membertable.down', { name: title })}
          run={props.onDown}
          isDisabled={isDisabled}
        >
          <IconArrowDown size={15} />
        </Tool>
        <Tool
          label={t('audience.membertable.remove', { name: title })}
          run={props.onRemove}
          isDisabled={isDisabled}
        >
          <IconTrash size={15} />
        </Tool>
      </div>
      {fault !== undefined && (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

interface TopicNamesProps {
  names: MemberColumn['topic']
  isDisabled: boolean
  onChange: (names: MemberColumn['topic']) => void
}

/** Makes a column a topic of the preference page, with its names. */
function TopicNames({ names, isDisabled, onChange }: TopicNamesProps): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <Tooltip label={t('audience.membertable.topic_hint')}>
        <Checkbox
          size="sm"
          label={t('audience.column.topic')}
          checked={names !== null}
          disabled={isDisabled}
          onChange={event => onChange(event.currentTarget.checked ? {} : null)}
        />
      </Tooltip>
      {names !== null &&
        languages.map(language => (
          <TextInput
            key={language}
            size="sm"
            aria-label={t(`audience.membertable.topic_name.${language}`)}
            placeholder={t(`audience.membertable.topic_name.${language}`)}
            value={names[language] ?? ''}
            maxLength={100}
            disabled={isDisabled}
            onChange={event => onChange({ ...names, [language]: event.currentTarget.value })}
          />
        ))}
    </>
  )
}

interface ToolProps {
  label: string
  run: (() => void) | undefined
  isDisabled: boolean
  children: ReactNode
}

function Tool({ label, run, isDisabled, children }: ToolProps): ReactNode {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      className={classes.tool}
      aria-label={label}
      disabled={isDisabled || !run}
      onClick={run}
    >
      {children}
    </ActionIcon>
  )
}

/** Splits a pasted or typed list into options. */
function separated(options: readonly string[]): string[] {
  const parts = options.flatMap(option => option.split(/[,;\n\t]/)).map(part => part.trim())
  return [...new Set(parts.filter(part => part !== ''))]
}

function hasLength(type: FieldType): boolean {
  return type === 'string' || type === 'text'
}
