import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { MAX_STEPS, type WebformField } from '@emma/contract/resources/webform.ts'
import type { FormLanguage } from '@emma/contract/web-forms/form-texts.ts'
import {
  ActionIcon,
  Badge,
  Button,
  Checkbox,
  Group,
  Menu,
  NativeSelect,
  Paper,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface FieldListProps {
  fields: readonly WebformField[]
  columns: readonly MemberColumn[]
  lang: FormLanguage
  onChange: (fields: WebformField[]) => void
}

/** Fields of a form in their order, which is changed by drag or by buttons. Labels are edited in one language. */
export function FieldList({ fields, columns, lang, onChange }: FieldListProps): ReactNode {
  const { t } = useTranslation()
  const [dragged, setDragged] = useState<number | null>(null)
  const free = columns.filter(
    column =>
      (!column.is_fixed || column.column_name === 'email') &&
      !fields.some(field => field.column === column.column_name),
  )
  const move = (from: number, to: number) => {
    const moved = fields.toSpliced(from, 1)
    const field = fields[from]
    if (field && to >= 0 && to < fields.length) onChange(moved.toSpliced(to, 0, field))
  }
  return (
    <Stack gap="xs">
      <ol style={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 8 }}>
        {fields.map((field, index) => (
          <li
            key={field.column}
            draggable
            onDragStart={() => setDragged(index)}
            onDragOver={event => event.preventDefault()}
            onDrop={() => {
              if (dragged !== null) move(dragged, index)
              setDragged(null)
            }}
          >
            <FieldCard
              field={field}
              column={columns.find(({ column_name }) => column_name === field.column)}
              lang={lang}
              onChange={changed => onChange(fields.with(index, changed))}
              onMove={by => move(index, index + by)}
              onRemove={() => onChange(fields.toSpliced(index, 1))}
              isFirst={index === 0}
              isLast={index === fields.length - 1}
            />
          </li>
        ))}
      </ol>
      {free.length > 0 && (
        <Menu>
          <Menu.Target>
            <Button variant="default" leftSection={<IconPlus size={16} />} style={{ justifySelf: 'start' }}>
              {t('audience.webform.add_field')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {free.map(({ column_name: column, label, nullable }) => (
              <Menu.Item key={column} onClick={() => onChange([...fields, newField(column, !nullable)])}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Stack>
  )
}

export function newField(column: string, required: boolean): WebformField {
  return { column, label: {}, required, hidden: false, default: null, prefill: false, step: 1 }
}

interface FieldCardProps {
  field: WebformField
  column: MemberColumn | undefined
  lang: FormLanguage
  isFirst: boolean
  isLast: boolean
  onChange: (field: WebformField) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

function FieldCard(props: FieldCardProps): ReactNode {
  const { field, column, lang, isFirst, isLast, onChange, onMove, onRemove } = props
  const { t } = useTranslation()
  const name = column?.label ?? field.column
  const isAddress = field.column === 'email'
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Group gap={6} wrap="nowrap">
          <IconGripVertical size={16} aria-hidden style={{ cursor: 'grab' }} />
          <Text fw={600}>{name}</Text>
          {column?.topic && <Badge variant="light">{t('audience.webform.topic')}</Badge>}
        </Group>
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            variant="subtle"
            aria-label={t('audience.webform.move_up', { name })}
            disabled={isFirst}
            onClick={() => onMove(-1)}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            aria-label={t('audience.webform.move_down', { name })}
            disabled={isLast}
            onClick={() => onMove(1)}
          >
            <IconArrowDown size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t('audience.webform.remove_field', { name })}
            disabled={isAddress}
            onClick={onRemove}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      </Group>
      <Group align="end">
        <TextInput
          flex="1 1 180px"
          label={t('audience.webform.label')}
          placeholder={name}
          maxLength={255}
          value={field.label[lang] ?? ''}
          onChange={event =>
            onChange({ ...field, label: { ...field.label, [lang]: event.currentTarget.value } })
          }
        />
        {!isAddress && (
          <TextInput
            flex="1 1 140px"
            label={t('audience.webform.default')}
            maxLength={500}
            value={field.default ?? ''}
            onChange={event => onChange({ ...field, default: event.currentTarget.value || null })}
          />
        )}
        <NativeSelect
          w={90}
          label={t('audience.webform.step')}
          data={Array.from({ length: MAX_STEPS }, (_, at) => String(at + 1))}
          value={String(field.step)}
          onChange={event => onChange({ ...field, step: Number(event.currentTarget.value) })}
        />
      </Group>
      <Group mt="xs">
        {(isAddress ? (['prefill'] as const) : (['required', 'hidden', 'prefill'] as const)).map(option => (
          <Checkbox
            key={option}
            label={t(`audience.webform.options.${option}`)}
            checked={field[option]}
            onChange={event => onChange({ ...field, [option]: event.currentTarget.checked })}
          />
        ))}
      </Group>
    </Paper>
  )
}
