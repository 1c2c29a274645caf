import { ConfigError, loadConfig } from '../config.ts'
import { checkInstallation } from './installation-checks.ts'

const signs = { fine: '✓', warning: '!', problem: '✗' }

/** `emma doctor`: reports what is wrong with this installation. Exits with code 1 if there are problems. */
export async function doctor(): Promise<void> {
  const findings = await examine()
  for (const { state, words } of findings) console.log(`${signs[state]} ${words}`)
  const problems = findings.filter(finding => finding.state === 'problem').length
  const warnings = findings.filter(finding => finding.state === 'warning').length
  console.log(summary(problems, warnings))
  if (problems > 0) process.exitCode = 1
}

async function examine() {
  try {
    return await checkInstallation(loadConfig())
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message
      .split('\n')
      .map(words => ({ state: 'problem' as const, words: `Configuration: ${words}` }))
  }
}

function summary(problems: number, warnings: number): string {
  if (problems > 0) return `\n${problems} problems${warnings > 0 ? `, ${warnings} warnings` : ''}.`
  return warnings > 0 ? `\nNo problems; ${warnings} warnings.` : '\nNo problems.'
}
