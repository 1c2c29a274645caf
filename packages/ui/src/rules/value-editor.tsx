import { type ReactNode, useId, useState } from 'react'
import type { ValueEditorProps } from 'react-querybuilder'
import type { Operator } from '@emma/contract/rules.ts'
import { isNumberText, readNumber, writeNumber } from '../form/form-reading.ts'
import { TagsBox } from '../form/tags-box.tsx'
import { MultiSelect, Select } from '../select/select.tsx'
import { useLocale, useTranslate } from '../i18n.tsx'
import { ruleFieldOf } from './builder-field.ts'
import { useRuleBuilder } from './rule-builder-context.ts'
import classes from './rule-builder.module.css'
import { ruleFault } from './rule-fault.ts'
import {
  type EditorKind,
  type RuleField,
  type RuleValue,
  arityOf,
  asPair,
  asValues,
  editorKind,
  operatorsOfField,
  orderedPair,
} from './rule-field.ts'

/**
 * Inputs of a rule's values (none, one, a pair or several) by the field's type. Shows faults at once; missing values
 * only after the rule was left.
 */
export function ValueEditor(props: ValueEditorProps): ReactNode {
  const { rule, fieldData, disabled = false } = props
  const t = useTranslate()
  const { showsFaults } = useRuleBuilder()
  const faultId = useId()
  const [wasLeft, setLeft] = useState(false)
  const field = ruleFieldOf(fieldData)
  const operator = operatorsOfField(field).find(known => known === rule.operator) ?? '='
  const kind = editorKind(field, operator)
  if (kind === 'none') return null
  const found = disabled
    ? null
    : ruleFault({ field: rule.field, operator, value: valueOf(rule.value) }, field)
  const fault = found && (!found.isMissing || wasLeft || showsFaults) ? found : null
  const onChange = (value: RuleValue | RuleValue[]) => props.handleOnChange(value)
  const shared = {
    field,
    kind,
    isDisabled: disabled,
    value: rule.value as unknown,
    onChange,
    faultId: fault ? faultId : undefined,
  }
  return (
    <div
      className={classes.value}
      onBlur={event => {
        if (!event.currentTarget.contains(event.relatedTarget)) setLeft(true)
      }}
    >
      <Values {...shared} operator={operator} />
      {fault && (
        <p id={faultId} className={classes.fault}>
          {t(fault.key)}
        </p>
      )}
    </div>
  )
}

function Values(props: EditorProps & { operator: Operator }): ReactNode {
  const arity = arityOf(props.operator)
  if (arity === 2) return <Pair {...props} />
  if (arity === 'many') return <Several {...props} />
  return <Single {...props} />
}

/** The value of a rule as in the contract. */
function valueOf(value: unknown): RuleValue | RuleValue[] {
  return Array.isArray(value) ? asValues(value) : (asValues([value])[0] ?? null)
}

interface EditorProps {
  field: RuleField
  kind: EditorKind
  isDisabled: boolean
  value: unknown
  onChange: (value: RuleValue | RuleValue[]) => void
  /** Id of the error message. */
  faultId: string | undefined
}

function Single(props: EditorProps & { operator: Operator }): ReactNode {
  const { kind, field, value, isDisabled, onChange, faultId } = props
  const t = useTranslate()
  if (kind === 'record' && field.source) {
    return (
      <div className={classes.wide}>
        <Select
          label={t('rules.value')}
          source={field.source}
          isDisabled={isDisabled}
          hasError={faultId !== undefined}
          {...(faultId === undefined ? {} : { describedBy: faultId })}
          isClearable={false}
          value={typeof value === 'number' ? value : null}
          onChange={onChange}
        />
      </div>
    )
  }
  if (kind === 'days') {
    return (
      <>
        <OneValue {...props} kind="number" label={t('rules.value')} isShort />
        <span className={classes.word}>{t('rules.days')}</span>
      </>
    )
  }
  return <OneValue {...props} label={t('rules.value')} />
}

/** Two inputs; a reversed pair is swapped on blur (R287). */
function Pair(props: EditorProps): ReactNode {
  const { value, onChange } = props
  const t = useTranslate()
  const [from, to] = asPair(value)
  return (
    <span
      className={classes.pair}
      onBlur={event => {
        if (event.currentTarget.contains(event.relatedTarget)) return
        const ordered = orderedPair([from, to])
        if (ordered[0] !== from) onChange(ordered)
      }}
    >
      <OneValue
        {...props}
        label={t('rules.value_from')}
        value={from}
        onChange={next => onChange([one(next), to])}
      />
      <span className={classes.word}>{t('sentence.and')}</span>
      <OneValue
        {...props}
        label={t('rules.value_to')}
        value={to}
        onChange={next => onChange([from, one(next)])}
      />
    </span>
  )
}

function Several(props: EditorProps): ReactNode {
  const { field, kind, value, isDisabled, onChange, faultId } = props
  const t = useTranslate()
  const locale = useLocale()
  const values = asValues(value)
  if (kind === 'record' && field.source) {
    return (
      <div className={classes.wide}>
        <MultiSelect
          label={t('rules.values')}
          source={field.source}
          isDisabled={isDisabled}
          hasError={faultId !== undefined}
          value={values.filter(entry => typeof entry === 'number')}
          onChange={next => onChange([...next])}
        />
      </div>
    )
  }
  if (kind === 'choice') {
    return (
      <div className={classes.wide}>
        <MultiSelect
          label={t('rules.values')}
          options={field.options ?? []}
          isDisabled={isDisabled}
          hasError={faultId !== undefined}
          value={values.filter(entry => typeof entry !== 'boolean' && entry !== null)}
          onChange={next => onChange([...next])}
        />
      </div>
    )
  }
  return (
    <TagsBox
      className={classes.wide}
      aria-label={t('rules.values')}
      placeholder={values.length === 0 ? t('rules.values_hint') : ''}
      disabled={isDisabled}
      error={faultId !== undefined}
      value={values.map(String)}
      onChange={texts =>
        onChange(kind === 'number' ? texts.map(text => readNumber(text, locale) ?? 0) : texts)
      }
    />
  )
}

interface OneValueProps extends EditorProps {
  label: string
  isShort?: boolean
}

function OneValue(props: OneValueProps): ReactNode {
  const { field, kind, value, label, isDisabled, onChange, faultId } = props
  const t = useTranslate()
  if (kind === 'number') return <NumberValue {...props} />
  if (kind === 'bool' || kind === 'choice') {
    const options =
      kind === 'bool'
        ? [
            { value: 'true', label: t('yes') },
            { value: 'false', label: t('no') },
          ]
        : (field.options ?? [])
    return (
      <select
        className={classes.select}
        aria-label={label}
        disabled={isDisabled}
        value={String(value)}
        onChange={event => {
          const chosen = event.currentTarget.value
          if (kind === 'bool') onChange(chosen === 'true')
          else onChange(options.find(option => String(option.value) === chosen)?.value ?? '')
        }}
      >
        {options.map(option => (
          <option key={option.value} value={String(option.value)}>
            {option.label}
          </option>
        ))}
      </select>
    )
  }
  return (
    <input
      className={classes.input}
      type={kind === 'day' ? 'date' : 'text'}
      aria-label={label}
      aria-invalid={faultId !== undefined}
      aria-describedby={faultId}
      disabled={isDisabled}
      value={kind === 'day' ? asText(value).slice(0, 10) : asText(value)}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

/** Number input in the user's format; the text stays as typed until blur. */
function NumberValue({
  field,
  value,
  label,
  isDisabled,
  isShort,
  onChange,
  faultId,
}: OneValueProps): ReactNode {
  const locale = useLocale()
  const [typed, setTyped] = useState<string | null>(null)
  const number = typeof value === 'number' ? value : readNumber(asText(value), locale)
  return (
    <input
      className={classes.input}
      data-short={isShort || undefined}
      inputMode={field.type === 'decimal' ? 'decimal' : 'numeric'}
      aria-label={label}
      aria-invalid={faultId !== undefined || (typed !== null && !isNumberText(typed, locale))}
      aria-describedby={faultId}
      disabled={isDisabled}
      value={typed ?? writeNumber(number, locale, field.type === 'decimal' ? 10 : 0)}
      onChange={event => {
        const text = event.currentTarget.value
        setTyped(text)
        if (isNumberText(text, locale)) onChange(readNumber(text, locale) ?? '')
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function one(value: RuleValue | RuleValue[]): RuleValue {
  return Array.isArray(value) ? (value[0] ?? '') : value
}
