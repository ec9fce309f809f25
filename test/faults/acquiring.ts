// npm run faults -- acquiring: shops on their way to being paid. The program is killed while an application is handed in at the payment
// service, while the service is asked about it, and while one fen is tried through an acquirer. Each with a wrong variant, which must be caught.
// Prints one line of figures per part; exits 1 where anything is there twice, was lost or never came, or a variant went unseen.
//   --kills N (10)   of each   --only onboardings|tests
import { parseArgs } from 'node:util'
import { forgetCodes, killDuringOnboardings, killDuringTestPayments, orderTwice } from './acquiring-killed.ts'

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== 'acquiring'),
  options: { kills: { type: 'string', default: '10' }, only: { type: 'string', default: '' } },
})
const kills = Number(values.kills)
const wanted = (part: string) => values.only === '' || values.only === part

let failed = false
function tell(part: string, holds: boolean, figures: object, breaches: readonly string[] = []): void {
  failed ||= !holds
  for (const breach of breaches.slice(0, 10)) process.stdout.write(`breach: ${breach}\n`)
  const text = Object.entries(figures).map(([name, value]) => `${name}=${value}`)
  process.stdout.write(`${part} ${holds ? 'passed' : 'FAILED'} ${text.join(' ')}\n`)
}

if (wanted('onboardings')) {
  const { breaches, ...figures } = await killDuringOnboardings(kills)
  tell('onboardings killed', breaches.length === 0, { ...figures, breaches: breaches.length }, breaches)
  const variant = await killDuringOnboardings(1, { spoil: forgetCodes })
  const twice = variant.breaches.filter(breach => / has [2-9] applications/.test(breach)).length
  tell('variant: the code of an application is forgotten', twice > 0, { caught: twice })
}
if (wanted('tests')) {
  const { breaches, ...figures } = await killDuringTestPayments(kills)
  tell('test payments killed', breaches.length === 0, { ...figures, breaches: breaches.length }, breaches)
  const variant = await killDuringTestPayments(1, { spoil: orderTwice })
  const twice = variant.breaches.filter(breach => / with [2-9] orders/.test(breach)).length
  tell('variant: an order is made again under another number', twice > 0, { caught: twice })
}
process.exitCode = failed ? 1 : 0
