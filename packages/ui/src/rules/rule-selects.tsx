import type { ReactNode } from 'react'
import {
  type FieldSelectorProps,
  type OperatorSelectorProps,
  type Path,
  toFlatOptionArray,
  update,
} from 'react-querybuilder'
import { useTranslate } from '../i18n.tsx'
import { ruleFieldOf } from './builder-field.ts'
import { DragHandle } from './drag-handle.tsx'
import { operatorKey } from './describe-query.ts'
import classes from './rule-builder.module.css'
import { type RuleField, adaptValue, operatorsOfField } from './rule-field.ts'

/** Select of a rule's field. Another field resets the rule (R284). */
export function FieldSelect(props: FieldSelectorProps): ReactNode {
  const { options, value, disabled } = props
  const t = useTranslate()
  const fields = toFlatOptionArray(options).map(ruleFieldOf)
  const isGone = value !== undefined && !fields.some(field => field.name === value)
  const data = fields.filter(field => field.type !== 'events')
  const events = fields.filter(field => field.type === 'events')

  function choose(name: string): void {
    props.handleOnChange(name)
    // Events start with "at least once"; the builder's own default is "every time".
    if (!events.some(field => field.name === name)) return
    const { schema, path } = props
    schema.dispatchQuery(update(schema.getQuery(), 'match', { mode: 'some' }, path))
  }

  return (
    <>
      <DragHandle path={props.path} schema={props.schema} isDisabled={disabled === true} />
      <select
        className={classes.select}
        data-part="field"
        aria-label={t('rules.field')}
        aria-invalid={isGone}
        disabled={disabled}
        value={value}
        onChange={event => choose(event.currentTarget.value)}
      >
        {isGone && <option value={value}>{t('rules.unknown_field', { name: value })}</option>}
        {events.length === 0 ? (
          <FieldOptions fields={data} />
        ) : (
          <>
            <optgroup label={t('rules.attributes')}>
              <FieldOptions fields={data} />
            </optgroup>
            <optgroup label={t('rules.behaviour')}>
              <FieldOptions fields={events} />
            </optgroup>
          </>
        )}
      </select>
    </>
  )
}

function FieldOptions({ fields }: { fields: readonly RuleField[] }): ReactNode {
  return fields.map(field => (
    <option key={field.name} value={field.name}>
      {field.label}
    </option>
  ))
}

/** Select of the operator. Compatible values are kept. */
export function OperatorSelect(props: OperatorSelectorProps): ReactNode {
  const { rule, path, schema, disabled, fieldData } = props
  const t = useTranslate()
  const field = ruleFieldOf(fieldData)
  const operators = operatorsOfField(field)
  const current = operators.find(operator => operator === rule.operator) ?? '='

  function choose(name: string): void {
    const next = operators.find(operator => operator === name)
    if (!next) return
    const value = adaptValue(field, current, next, rule.value)
    const query = update(schema.getQuery(), 'operator', next, path)
    schema.dispatchQuery(update(query, 'value', value, path))
  }

  return (
    <select
      className={classes.select}
      data-part="operator"
      aria-label={t('rules.operator')}
      disabled={disabled}
      value={current}
      onChange={event => choose(event.currentTarget.value)}
    >
      {operators.map(operator => (
        <option key={operator} value={operator}>
          {t(operatorKey(field, operator))}
        </option>
      ))}
    </select>
  )
}

/** Path of a rule or group as an attribute value. */
export function pathText(path: Path): string {
  return JSON.stringify(path)
}
