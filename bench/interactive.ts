import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { precompress } from '../apps/console/precompress.ts'
import { type ApiSession, openApi } from '../e2e/api-session.ts'
import { firstStart } from '../e2e/first-start.ts'
import { adminPassword, type RunningEmma } from '../e2e/launch-emma.ts'
import { findChromium } from '../scripts/find-programs.mjs'

/**
 * `npm run bench:interactive`: time until the console is interactive, compared with a React page with one button from the
 * same server in the same run, both with the CPU slowed down four times and an empty cache; and the longest task while
 * typing in a segment of 200 rules; and in a template of 96 kB of MJML, the time from a letter of an attribute to the
 * next picture of the page, and to the canvas that shows it (medians). Builds server and console if needed;
 * EMMA_CONSOLE names another build of the console. Finds Chromium, or installs it if that needs no confirmation.
 */
const rounds = 9
const slowdown = 4
const ruleCount = 200
const sectionCount = 110
const letters = 30

const root = join(import.meta.dirname, '..')
const built = process.env.EMMA_CONSOLE ?? join(root, 'apps/console/dist')
needProgram()
const executablePath = needChromium()

const folder = mkdtempSync(join(tmpdir(), 'emma-bench-'))
process.env.EMMA_CONSOLE = join(folder, 'console')
let emma: RunningEmma | undefined
let browser: Browser | undefined
try {
  cpSync(built, join(folder, 'console'), { recursive: true })
  await buildBlankPage()
  emma = await firstStart()
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  await measure(emma.url, browser, await openApi(emma))
} finally {
  await browser?.close()
  await emma?.stop()
  if (emma) rmSync(emma.dataFolder, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

/** Builds server and console if they are older than their sources; the console unless EMMA_CONSOLE names one. */
function needProgram(): void {
  const isNamed = process.env.EMMA_CONSOLE !== undefined
  if (isNamed && !existsSync(join(built, 'index.html'))) {
    console.error(`There is no console in ${built}, which EMMA_CONSOLE names.`)
    process.exit(1)
  }
  execFileSync(process.execPath, ['scripts/build.mjs', ...(isNamed ? ['server'] : [])], {
    cwd: root,
    stdio: 'inherit',
  })
}

function needChromium(): string {
  const found = findChromium()
  if (found === undefined) {
    console.error('This benchmark needs Chromium: install it, or name its program in EMMA_CHROMIUM.')
    process.exit(1)
  }
  return found
}

async function measure(url: string, opened: Browser, api: ApiSession): Promise<void> {
  const token = await logIn(url)
  const pages = {
    blank: () => timeTo(opened, `${url}/blank/index.html`, '#ready'),
    login: () => timeTo(opened, `${url}/login`, 'input[name=username]'),
    dashboard: () => timeTo(opened, `${url}/dashboard`, '#content h1', token),
  }
  const times = { blank: [] as number[], login: [] as number[], dashboard: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.blank.push(await pages.blank())
    times.login.push(await pages.login())
    times.dashboard.push(await pages.dashboard())
  }
  const blank = median(times.blank)
  const login = median(times.login)
  const dashboard = median(times.dashboard)
  console.log(`blank page  ${blank.toFixed(0)} ms`)
  console.log(`login       ${login.toFixed(0)} ms  ${(login / blank).toFixed(2)} ×`)
  console.log(`dashboard   ${dashboard.toFixed(0)} ms  ${(dashboard / blank).toFixed(2)} ×`)

  const list = await addSegment(api)
  const longest = await longestTask(opened, url, list, token, 1)
  const slowed = await longestTask(opened, url, list, token, slowdown)
  console.log(`typing in ${ruleCount} rules: longest task ${longest} ms (${slowed} ms with the CPU slowed)`)
  const { letter, canvas } = await editorTimes(opened, url, await addTemplate(api), token)
  console.log(`a letter in a template of 96 kB: ${letter} ms, its canvas after ${canvas} ms`)
  console.log(
    JSON.stringify({
      interactive_vs_blank: rounded(login / blank),
      dashboard_vs_blank: rounded(dashboard / blank),
      longest_task_ms: longest,
      longest_task_slowed_ms: slowed,
      editor_letter_ms: letter,
      editor_canvas_ms: canvas,
    }),
  )
}

/** Milliseconds until the element exists and the page responds: the first idle moment after rendering. */
async function timeTo(opened: Browser, url: string, selector: string, token?: string): Promise<number> {
  const page = await openSlowed(opened, slowdown, token)
  await page.addInitScript(wanted => {
    const look = () => {
      if (!document.querySelector(wanted)) return requestAnimationFrame(look)
      const channel = new MessageChannel()
      channel.port1.addEventListener('message', () => Object.assign(window, { readyAt: performance.now() }))
      channel.port1.start()
      return channel.port2.postMessage(null)
    }
    look()
  }, selector)
  await page.goto(url, { waitUntil: 'commit' })
  const readyAt = await page.waitForFunction(() => Reflect.get(window, 'readyAt'))
  const time = Number(await readyAt.jsonValue())
  await page.context().close()
  return time
}

/** Longest task in ms while typing a value in the middle; 0: none above the 50 ms that browsers report. */
async function longestTask(
  opened: Browser,
  url: string,
  list: number,
  token: string,
  rate: number,
): Promise<number> {
  const page = await openSlowed(opened, rate, token)
  await page.goto(`${url}/subscribers/segments/edit/${list}`)
  const value = page.locator('#content input[type=text]:not([role=combobox])').nth(ruleCount / 2)
  await value.waitFor({ timeout: 120_000 })
  await value.click()
  await page.waitForTimeout(2000)
  await page.evaluate(() => {
    const tasks: number[] = []
    new PerformanceObserver(entries => {
      for (const { duration } of entries.getEntries()) tasks.push(duration)
    }).observe({ type: 'longtask' })
    Object.assign(window, { tasks })
  })
  await value.pressSequentially('a longer value than before', { delay: 60 })
  await page.waitForTimeout(1500)
  const tasks = await page.evaluate(() => Reflect.get(window, 'tasks'))
  await page.context().close()
  return Math.round(Math.max(0, ...(Array.isArray(tasks) ? tasks.map(Number) : [])))
}

/** Medians in ms: from a letter to the next picture of the page (Event Timing), and to the canvas that shows it. */
async function editorTimes(
  opened: Browser,
  url: string,
  template: number,
  token: string,
): Promise<{ letter: number; canvas: number }> {
  const page = await openSlowed(opened, 1, token)
  await page.goto(`${url}/templates/edit/${template}`)
  const blocks = page.getByRole('tree', { name: 'Blocks of the mail' })
  await blocks.getByText('Section 3.').first().click({ timeout: 120_000 })
  const value = page.getByLabel('Font size')
  await value.fill('15px')
  await page.waitForFunction(() =>
    document.querySelector('iframe')?.contentDocument?.body?.innerHTML.includes('15px'),
  )
  await page.waitForTimeout(2000)
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await value.press(key)
  await page.evaluate(() => {
    const times = { letters: [] as number[], canvases: [] as number[] }
    new PerformanceObserver(entries => {
      for (const { name, duration } of entries.getEntries())
        if (name === 'keydown') times.letters.push(duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    let typedAt = 0
    document.addEventListener('keydown', () => (typedAt = performance.now()), true)
    const canvas = document.querySelector('iframe')?.contentDocument
    if (!canvas) throw new Error('There is no canvas.')
    new MutationObserver(() => {
      if (typedAt > 0) times.canvases.push(performance.now() - typedAt)
      typedAt = 0
    }).observe(canvas, { subtree: true, childList: true, attributes: true, attributeFilter: ['style'] })
    Object.assign(window, { times })
  })
  for (let letter = 0; letter < letters; letter++) {
    await value.press(letter % 2 === 0 ? '1' : 'Backspace')
    await page.waitForTimeout(1500)
  }
  const times: unknown = await page.evaluate(() => Reflect.get(window, 'times'))
  await page.context().close()
  const { letters: found, canvases } = times as { letters: number[]; canvases: number[] }
  return { letter: Math.round(median(found)), canvas: Math.round(median(canvases)) }
}

async function openSlowed(opened: Browser, rate: number, token?: string): Promise<Page> {
  const context = await opened.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  const page = await context.newPage()
  if (token !== undefined) await page.addInitScript(text => localStorage.setItem('loginToken', text), token)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
  return page
}

async function addSegment(api: ApiSession): Promise<number> {
  const rules = Array.from({ length: ruleCount }, (_, index) => ({
    field: 'email',
    operator: 'contains',
    value: `part ${index}`,
  }))
  const { list_id } = await api.post('/emma/list/', {
    name: 'Two hundred rules',
    member_table_id: 1,
    query: { combinator: 'or', rules },
  })
  return list_id
}

async function addTemplate(api: ApiSession): Promise<number> {
  const sections = Array.from({ length: sectionCount }, (_, index) => {
    const text = 'What is new, and why it matters to you. '.repeat(15)
    return `<mj-section background-color="#ffffff" padding="8px"><mj-column><mj-text color="#222222">Section ${index}. ${text}</mj-text><mj-button href="https://example.com/${index}">Read more</mj-button></mj-column></mj-section>`
  })
  const { message_id } = await api.post('/emma/message/', {
    name: 'Large',
    subject: 'Large',
    body_mjml: `<mjml>\n<mj-body>\n${sections.join('\n')}\n</mj-body>\n</mjml>\n`,
  })
  return message_id
}

async function logIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  })
  const { token }: { token: string } = await answer.json()
  return token
}

/** Builds a React page with one button, compressed like the console. */
async function buildBlankPage(): Promise<void> {
  // Inside the repository, because React is resolved from there.
  const source = mkdtempSync(join(root, 'apps/console/.blank-'))
  try {
    writeFileSync(
      join(source, 'index.html'),
      '<!doctype html><html lang="en"><title>Blank</title><div id="root"></div><script type="module" src="./main.tsx"></script>',
    )
    writeFileSync(
      join(source, 'main.tsx'),
      `import { useState } from 'react'
import { createRoot } from 'react-dom/client'
function Blank() {
  const [count, setCount] = useState(0)
  return <button id="ready" type="button" onClick={() => setCount(count + 1)}>{count}</button>
}
createRoot(document.getElementById('root')!).render(<Blank />)`,
    )
    mkdirSync(join(folder, 'console/blank'))
    await build({
      root: source,
      base: '/blank/',
      mode: 'production',
      configFile: false,
      logLevel: 'error',
      plugins: [react(), precompress()],
      build: { outDir: join(folder, 'console/blank'), target: 'es2024', modulePreload: { polyfill: false } },
    })
  } finally {
    rmSync(source, { recursive: true, force: true })
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
