import { ActionIcon, Button, Input } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { FieldName } from '@emma/ui/form/field-name.ts'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './rows-field.module.css'

interface RowsFieldProps<V extends object, Row extends object> {
  form: RecordForm<V>
  name: FieldName<V, readonly Row[]>
  rows: readonly Row[]
  description: string
  /** Label of the add button. */
  addLabel: string
  /** Initial value of a new row. */
  blank: Row
  /** The inputs of one row. */
  children: (row: Row, change: (part: Partial<Row>) => void, number: number) => ReactNode
}

/** Form field for a list of rows with a few inputs each. */
export function RowsField<V extends object, Row extends object>(props: RowsFieldProps<V, Row>): ReactNode {
  const { form, name, rows, description, addLabel, blank, children } = props
  const { t } = useTranslation()
  const field = form.field(name)
  const change = (at: number, part: Partial<Row>) =>
    field.set(rows.map((row, index) => (index === at ? { ...row, ...part } : row)))
  return (
    <Input.Wrapper
      id={field.id}
      labelElement="div"
      label={field.label}
      description={description}
      error={field.error}
    >
      <div className={classes.rows} role="group" aria-label={field.label} id={field.id} tabIndex={-1}>
        {rows.map((row, index) => (
          // Rows have no ids and are only added at the end.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className={classes.row}>
            <div className={classes.inputs}>{children(row, part => change(index, part), index + 1)}</div>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              disabled={field.isDisabled}
              aria-label={t('deliverability.rows.remove', { number: index + 1, name: field.label })}
              onClick={() => field.set(rows.filter((_, at) => at !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          disabled={field.isDisabled}
          onClick={() => field.set([...rows, blank])}
          style={{ justifySelf: 'start' }}
        >
          {addLabel}
        </Button>
      </div>
    </Input.Wrapper>
  )
}
