import { hasRest, type Split } from '@emma/contract/split.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Input, NativeSelect, NumberInput, SegmentedControl, Slider, Stack } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './split.module.css'

interface DecisionFieldsProps {
  split: Split
  onChange: (part: Partial<Split>) => void
}

const levels = [0.9, 0.95, 0.99] as const
const deciders = ['clicks', 'opens', 'conversions', 'person'] as const
const otherwise = ['best', 'control', 'nobody', 'ask'] as const

/** Size of the sample, and how the winner is chosen. */
export function DecisionFields({ split, onChange }: DecisionFieldsProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const id = useId()
  const text = (key: string) => t(`campaigns.split.${key}`)
  const waits = hasRest(split)
  const isDecided = split.winner_by !== 'person'
  return (
    <Stack gap="md">
      <Input.Wrapper
        id={id}
        labelElement="div"
        label={text('sample')}
        description={t(
          split.sample_percent === 100 ? 'campaigns.split.sample_all' : 'campaigns.split.sample_text',
          {
            each: format.percent(split.sample_percent / 100 / (split.variants.length + 1)),
            rest: format.percent(1 - split.sample_percent / 100),
          },
        )}
      >
        <Slider
          className={classes.slider}
          thumbLabel={text('sample')}
          min={5}
          max={100}
          step={5}
          marks={[20, 50, 100].map(value => ({ value, label: format.percent(value / 100) }))}
          label={value => format.percent(value / 100)}
          value={split.sample_percent}
          onChange={sample_percent => onChange({ sample_percent })}
        />
      </Input.Wrapper>
      <NativeSelect
        label={text('winner_by')}
        description={split.winner_by === 'opens' ? text('opens_text') : undefined}
        data={deciders.map(value => ({ value, label: t(`campaigns.split.deciders.${value}`) }))}
        value={split.winner_by}
        onChange={event => {
          const chosen = deciders.find(value => value === event.currentTarget.value)
          if (chosen) onChange({ winner_by: chosen })
        }}
      />
      {waits && isDecided && (
        <>
          <NumberInput
            label={text('wait')}
            description={text('wait_text')}
            min={0.25}
            max={168}
            decimalScale={2}
            suffix={` ${text('hours')}`}
            maw={320}
            value={split.wait_minutes / 60}
            onChange={hours =>
              onChange({ wait_minutes: Math.min(10_080, Math.max(15, Math.round(Number(hours) * 60) || 15)) })
            }
          />
          <NativeSelect
            label={text('otherwise')}
            data={otherwise.map(value => ({ value, label: t(`campaigns.split.otherwises.${value}`) }))}
            value={split.otherwise}
            onChange={event => {
              const chosen = otherwise.find(value => value === event.currentTarget.value)
              if (chosen) onChange({ otherwise: chosen })
            }}
          />
        </>
      )}
      <Input.Wrapper labelElement="div" label={text('level')} description={text('level_text')}>
        <SegmentedControl
          aria-label={text('level')}
          data={levels.map(value => ({ value: String(value), label: format.percent(value) }))}
          value={String(split.level)}
          onChange={value => onChange({ level: levels.find(each => String(each) === value) ?? 0.95 })}
        />
      </Input.Wrapper>
    </Stack>
  )
}
