import { SimpleGrid, Stack } from '@mantine/core'
import { BarChart, TimeChart } from '../src/charts/axis-chart.tsx'
import { DonutChart } from '../src/charts/donut-chart.tsx'
import { Funnel } from '../src/charts/funnel.tsx'
import { HeatMap } from '../src/charts/heat-map.tsx'
import { Sparkline } from '../src/charts/sparkline.tsx'
import { Card } from '../src/layout/card.tsx'
import { notify } from '../src/feedback/notify.tsx'
import type { Story } from './story.ts'

const hours = Array.from({ length: 48 }, (_, hour) => new Date(Date.UTC(2026, 10, 19, hour)).toISOString())
const opens = hours.map((_, hour) =>
  Math.round(4000 * Math.exp(-hour / 9) + 300 * (1 + Math.sin(hour / 3.8))),
)
const clicks = opens.map((value, hour) => Math.round(value * 0.16 + (hour % 5) * 8))

export const stories: readonly Story[] = [
  {
    title: 'Over time',
    render: () => (
      <Card title="Opens and clicks">
        <TimeChart
          label="Opens and clicks by hour: most in the first hours after sending"
          times={hours}
          precision="minute"
          series={[
            { name: 'Opens', values: opens },
            { name: 'Clicks', values: clicks },
          ]}
          onSelect={index => notify.info(`Hour ${index}`)}
        />
      </Card>
    ),
  },
  {
    title: 'Funnel',
    render: () => (
      <Card title="What happened">
        <Funnel
          label="From sent to clicked"
          steps={[
            { name: 'Recipients', value: 248_120, onClick: () => notify.info('Recipients') },
            { name: 'Delivered', value: 246_902 },
            { name: 'Opened', value: 61_204, share: 0.248 },
            { name: 'Clicked', value: 9871, share: 0.04 },
          ]}
        />
      </Card>
    ),
  },
  {
    title: 'Bars and parts',
    render: () => (
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card title="Bounces by provider">
          <BarChart
            label="Bounces by provider"
            isHorizontal
            isStacked
            categories={['gmx.de', 'web.de', 'gmail.com', 't-online.de', 'outlook.com']}
            series={[
              { name: 'Hard', values: [120, 90, 60, 44, 20] },
              { name: 'Soft', values: [40, 61, 22, 80, 12] },
            ]}
          />
        </Card>
        <Card title="Devices">
          <DonutChart
            label="Opens by device"
            parts={[
              { name: 'Phone', value: 38_000 },
              { name: 'Desktop', value: 19_000 },
              { name: 'Tablet', value: 3100 },
              { name: 'Unknown', value: 1104 },
            ]}
          />
        </Card>
      </SimpleGrid>
    ),
  },
  {
    title: 'A line, and bars beside each other',
    render: () => (
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card title="Clicks">
          <TimeChart
            label="Clicks by hour"
            times={hours}
            precision="minute"
            look="line"
            series={[{ name: 'Clicks', values: clicks }]}
          />
        </Card>
        <Card title="Two campaigns">
          <BarChart
            label="Opened and clicked by campaign"
            categories={['Autumn', 'Winter', 'Spring']}
            series={[
              { name: 'Opened', values: [24, 31, 28] },
              { name: 'Clicked', values: [4, 6, 5] },
            ]}
          />
        </Card>
      </SimpleGrid>
    ),
  },
  {
    title: 'Heat map',
    render: () => (
      <Card title="When people click">
        <HeatMap
          label="Clicks by weekday and hour"
          rows={['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']}
          columns={Array.from({ length: 24 }, (_, hour) => String(hour))}
          values={Array.from({ length: 7 }, (_day, day) =>
            Array.from({ length: 24 }, (_hour, hour) =>
              Math.round(900 * Math.exp(-((hour - 10 - day / 2) ** 2) / 18) * (day < 5 ? 1 : 0.4)),
            ),
          )}
          onSelect={(row, column) => notify.info(`Day ${row + 1}, hour ${column}`)}
        />
      </Card>
    ),
  },
  {
    title: 'Sparkline',
    render: () => <Sparkline values={opens.slice(0, 24)} label="Opens of the first day" />,
  },
  {
    title: 'Nothing to show',
    render: () => (
      <Stack>
        <TimeChart
          label="Nothing"
          times={hours}
          series={[{ name: 'Opens', values: hours.map(() => 0) }]}
          height={120}
        />
      </Stack>
    ),
  },
]
