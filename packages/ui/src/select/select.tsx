import type { ReactNode } from 'react'
import { lazyComponent } from '../lazy-component.tsx'
import type { CommonSelectProps, SelectBoxProps } from './select-box.tsx'
import type { SelectOption, SelectValue } from './select-source.ts'
import classes from './select.module.css'

export interface SelectProps<V extends SelectValue> extends CommonSelectProps<V> {
  value: V | null
  onChange: (value: NoInfer<V> | null, option: SelectOption<NoInfer<V>> | null) => void
}

export interface MultiSelectProps<V extends SelectValue> extends CommonSelectProps<V> {
  value: readonly V[]
  onChange: (values: readonly NoInfer<V>[], options: readonly SelectOption<NoInfer<V>>[]) => void
}

/** Select of one value, with accent-insensitive search and 25 options per page; its menu is never clipped. */
export function Select<V extends SelectValue>({ value, onChange, ...common }: SelectProps<V>): ReactNode {
  return (
    <Box
      {...common}
      isMulti={false}
      values={value === null ? [] : [value]}
      onValues={(options: readonly SelectOption<V>[]) =>
        onChange(options[0]?.value ?? null, options[0] ?? null)
      }
    />
  )
}

/** Select of several values. */
export function MultiSelect<V extends SelectValue>(props: MultiSelectProps<V>): ReactNode {
  const { value, onChange, ...common } = props
  return (
    <Box
      {...common}
      isMulti
      values={value}
      onValues={(options: readonly SelectOption<V>[]) =>
        onChange(
          options.map(option => option.value),
          options,
        )
      }
    />
  )
}

/** react-select is loaded on first render: it is as large as a screen. */
const Box = lazyComponent<SelectBoxProps<SelectValue>>(
  async () => (await import('./select-box.tsx')).SelectBox,
  () => <div className={classes.waiting} />,
)
