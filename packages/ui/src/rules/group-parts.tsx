import { combinators } from '@emma/contract/rules.ts'
import { IconFolderPlus, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { RuleGroupBodyComponents, type RuleGroupProps, type UseRuleGroup } from 'react-querybuilder'
import { useTranslate } from '../i18n.tsx'
import { DragHandle } from './drag-handle.tsx'
import { RuleActions } from './rule-actions.tsx'
import classes from './rule-builder.module.css'

type GroupProps = RuleGroupProps & UseRuleGroup

/** Combinator and negation of a group. */
export function GroupHeader(props: GroupProps): ReactNode {
  const { ruleGroup, path, schema, disabled = false, onCombinatorChange, onNotToggleChange } = props
  const t = useTranslate()
  const combinator = combinators.find(known => known === props.combinator) ?? 'and'
  const isNot = ruleGroup.not === true
  return (
    <>
      {path.length > 0 && <DragHandle path={path} schema={schema} isDisabled={disabled} />}
      <select
        className={classes.select}
        data-part="combinator"
        aria-label={t('rules.combinator')}
        disabled={disabled}
        value={combinator}
        onChange={event => onCombinatorChange(event.currentTarget.value)}
      >
        {combinators.map(known => (
          <option key={known} value={known}>
            {t(`rules.${known}`)}
          </option>
        ))}
      </select>
      <label className={classes.not} title={t('rules.not_title')} data-on={isNot || undefined}>
        <input
          type="checkbox"
          data-part="not"
          disabled={disabled}
          checked={isNot}
          onChange={event => onNotToggleChange(event.currentTarget.checked)}
        />
        {t('rules.not')}
      </label>
      {path.length > 0 && (
        <RuleActions
          path={path}
          level={path.length}
          schema={schema}
          disabled={disabled}
          ruleOrGroup={ruleGroup}
          handleOnClick={props.removeGroup}
        />
      )}
    </>
  )
}

/** Rules of a group and its add buttons. Groups cannot be added at the deepest level (R285). */
export function GroupBody(props: GroupProps): ReactNode {
  const { path, schema, disabled = false, addRule, addGroup } = props
  const t = useTranslate()
  const isDeepest = path.length >= schema.maxLevels
  return (
    <>
      <RuleGroupBodyComponents {...props} />
      <div className={classes.adders}>
        <button
          type="button"
          className={classes.add}
          data-part="add"
          disabled={disabled}
          onClick={event => addRule(event)}
        >
          <IconPlus size={14} aria-hidden />
          {t('rules.add_rule')}
        </button>
        <button
          type="button"
          className={classes.add}
          disabled={disabled || isDeepest}
          title={isDeepest ? t('rules.max_depth') : undefined}
          onClick={event => addGroup(event)}
        >
          <IconFolderPlus size={14} aria-hidden />
          {t('rules.add_group')}
        </button>
      </div>
    </>
  )
}
