import { expect, it } from 'vitest'
import { createFormat } from '../format.ts'
import { axisOption } from './axis-option.ts'

const option = (categories: string[]) =>
  axisOption(
    {
      categories,
      series: [{ name: 'Opens', values: categories.map(() => 3) }],
      look: 'line',
      isStacked: false,
      isHorizontal: false,
      format: createFormat('en', 'UTC'),
      show: String,
    },
    css => css,
  )

it('draws a single point as a dot, several as a line without dots', () => {
  expect(option(['Monday'])).toMatchObject({ xAxis: { boundaryGap: true }, series: [{ showSymbol: true }] })
  expect(option(['Monday', 'Tuesday'])).toMatchObject({
    xAxis: { boundaryGap: false },
    series: [{ showSymbol: false }],
  })
})
