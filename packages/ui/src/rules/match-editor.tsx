import { matchModes } from '@emma/contract/rules.ts'
import type { ReactNode } from 'react'
import type { MatchModeEditorProps } from 'react-querybuilder'
import { useLocale, useTranslate } from '../i18n.tsx'
import { readNumber } from '../form/form-reading.ts'
import classes from './rule-builder.module.css'
import { needsThreshold } from './rule-field.ts'

/** How often an event occurred: always, at least once, never, or a number of times (R288: minimum 0, default 1). */
export function MatchEditor(props: MatchModeEditorProps): ReactNode {
  const { match, disabled } = props
  const t = useTranslate()
  const locale = useLocale()
  const threshold = typeof match.threshold === 'number' ? Math.max(0, match.threshold) : 1
  const mode = matchModes.find(known => known === match.mode) ?? 'some'

  function choose(name: string): void {
    const next = matchModes.find(known => known === name)
    if (next) props.handleOnChange(needsThreshold(next) ? { mode: next, threshold } : { mode: next })
  }

  return (
    <>
      <select
        className={classes.select}
        data-part="match"
        aria-label={t('rules.match')}
        disabled={disabled}
        value={mode}
        onChange={event => choose(event.currentTarget.value)}
      >
        {matchModes.map(known => (
          <option key={known} value={known}>
            {t(`match.${known}`)}
          </option>
        ))}
      </select>
      {needsThreshold(mode) && (
        <>
          <input
            className={classes.input}
            data-short
            type="number"
            min={0}
            step={1}
            aria-label={t('rules.threshold')}
            disabled={disabled}
            value={threshold}
            onChange={event => {
              const number = readNumber(event.currentTarget.value, locale)
              props.handleOnChange({ mode, threshold: Math.max(0, Math.trunc(number ?? 0)) })
            }}
          />
          <span className={classes.word}>{t('rules.times')}</span>
        </>
      )}
      <span className={classes.word}>{t('rules.where')}</span>
    </>
  )
}
