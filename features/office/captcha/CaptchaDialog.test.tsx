// The puzzle before a code, as a person without a mouse meets it.
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer, refusal } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import CaptchaDialog from './CaptchaDialog.tsx'
import { captcha } from './contract.ts'
import { PUZZLE_REFUSALS } from './rules.ts'

const PICTURE = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='

/** Puzzles one after the other, of which those with an odd number are missed. */
function open() {
  let last = 0
  answer(captcha.challenge, () => {
    last += 1
    return {
      ...{ kind: 'slide' as const, id: String(last), background: `${PICTURE}#${last}`, piece: PICTURE },
      ...{ y: 20, width: 320, height: 180, pieceSize: 64 },
    }
  })
  const answers = answer(captcha.solve, ({ id }) => {
    if (Number(id) % 2 === 1) throw refusal(captcha.solve, 'CAPTCHA_MISSED')
    return { token: `pass ${id}` }
  })
  const passes: string[] = []
  const person = show(
    <CaptchaDialog
      scene="code"
      subject="13700001111"
      onPass={token => passes.push(token)}
      onClose={() => undefined}
      onRefused={() => undefined}
    />,
  )
  return { person, answers, passes }
}
const slider = () => screen.findByRole('slider', { name: '拼图滑块' })
const shown = () => screen.getByAltText('有缺口的图片').getAttribute('src')

async function moveTo(x: number): Promise<void> {
  const handle = await slider()
  for (let by = 0; by < Math.floor(x / 10); by += 1)
    fireEvent.keyDown(handle, { key: 'ArrowRight', shiftKey: true })
  for (let by = 0; by < Math.round((x % 10) / 2); by += 1) fireEvent.keyDown(handle, { key: 'ArrowRight' })
  expect(handle.getAttribute('aria-valuenow')).toBe(String(x))
  fireEvent.keyDown(handle, { key: 'Enter' })
}

test('it is solved by keys alone, and is another one after a miss and when one asks for it', async () => {
  const { person, answers, passes } = open()
  await waitFor(async () => expect(document.activeElement).toBe(await slider()))
  const first = shown()
  await moveTo(100)
  await screen.findByText(PUZZLE_REFUSALS.CAPTCHA_MISSED)
  await waitFor(() => expect(shown()).not.toBe(first))
  const second = shown()
  await person.click(screen.getByRole('button', { name: '换一张' }))
  await waitFor(() => expect(shown()).not.toBe(second))
  await person.click(screen.getByRole('button', { name: '换一张' }))
  await waitFor(() => expect(shown()).toBe(`${PICTURE}#4`))
  await moveTo(146)
  await waitFor(() => expect(passes).toEqual(['pass 4']))
  expect(answers.map(({ by, x }) => [by, x])).toEqual([
    ['keys', 100],
    ['keys', 146],
  ])
})
