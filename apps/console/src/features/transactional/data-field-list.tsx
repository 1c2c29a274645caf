import { type DataField, dataLimits, dataTypes } from '@emma/contract/transactional/data-fields.ts'
import { ActionIcon, Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './transactional.module.css'

interface DataFieldListProps {
  id?: string
  fields: readonly DataField[]
  error?: ReactNode
  /** Field that the list belongs to, for labels; absent at the top. */
  parent?: string
  depth?: number
  onChange: (fields: DataField[]) => void
}

/** Editor of the fields that calls pass: name, type, whether it is required, an example, and fields inside. */
export function DataFieldList(props: DataFieldListProps): ReactNode {
  const { id, fields, error, parent, depth = 1, onChange } = props
  const { t } = useTranslation()
  const list = useRef<HTMLUListElement>(null)
  const add = () => {
    onChange([...fields, { name: '', type: 'text', required: true, example: null, fields: [] }])
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLInputElement>(':scope > li:last-child input')?.focus(),
    )
  }
  return (
    <Stack gap="sm" id={id}>
      <ul ref={list} className={classes.fields} aria-label={parent ?? t('transactional.fields_of_data')}>
        {fields.map((field, index) => (
          <DataFieldItem
            // oxlint-disable-next-line react/no-array-index-key -- fields have no id, and names change
            key={index}
            field={field}
            path={[parent, field.name || t('transactional.data.number', { number: index + 1 })]
              .filter(Boolean)
              .join('.')}
            depth={depth}
            onChange={next => onChange(fields.with(index, next))}
            onRemove={() => onChange(fields.toSpliced(index, 1))}
          />
        ))}
      </ul>
      {fields.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(depth === 1 ? 'transactional.data.none' : 'transactional.data.none_inside')}
        </Text>
      )}
      {error && <div role="alert">{error}</div>}
      <Button
        variant="default"
        size={depth === 1 ? 'sm' : 'xs'}
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={16} />}
        onClick={add}
      >
        {parent === undefined
          ? t('transactional.data.add')
          : t('transactional.data.add_inside', { name: parent })}
      </Button>
    </Stack>
  )
}

interface DataFieldItemProps {
  field: DataField
  /** `order.items`, for labels. */
  path: string
  depth: number
  onChange: (field: DataField) => void
  onRemove: () => void
}

function DataFieldItem({ field, path, depth, onChange, onRemove }: DataFieldItemProps): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`transactional.data.${key}`, { name: path })
  const holdsFields = field.type === 'object' || field.type === 'list'
  const types = dataTypes.filter(type => type !== 'object' || depth < dataLimits.depth)
  return (
    <li>
      <div className={classes.field}>
        <TextInput
          aria-label={text('name')}
          placeholder="order_number"
          maxLength={63}
          value={field.name}
          onChange={event => onChange({ ...field, name: event.currentTarget.value })}
        />
        <NativeSelect
          aria-label={text('type')}
          data={types.map(value => ({ value, label: t(`transactional.data.types.${value}`) }))}
          value={field.type}
          onChange={event => {
            const type = dataTypes.find(each => each === event.currentTarget.value) ?? 'text'
            onChange({ ...field, type, fields: type === 'object' || type === 'list' ? field.fields : [] })
          }}
        />
        <TextInput
          aria-label={text('example')}
          placeholder={t('transactional.data.example_placeholder')}
          maxLength={500}
          disabled={holdsFields && field.fields.length > 0}
          value={field.example ?? ''}
          onChange={event => onChange({ ...field, example: event.currentTarget.value || null })}
        />
        <Checkbox
          aria-label={text('required')}
          label={t('transactional.data.required_short')}
          checked={field.required}
          onChange={event => onChange({ ...field, required: event.currentTarget.checked })}
        />
        <ActionIcon variant="subtle" color="gray" aria-label={text('remove')} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </div>
      {holdsFields && depth < dataLimits.depth && (
        <div className={classes.inside}>
          <DataFieldList
            fields={field.fields}
            parent={path}
            depth={depth + 1}
            onChange={fields => onChange({ ...field, fields })}
          />
        </div>
      )}
    </li>
  )
}
