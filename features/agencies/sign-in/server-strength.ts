// How soon a password is guessed, by the list and the patterns of zxcvbn; they are loaded when the first one is judged.
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { Refusal } from '#server/refuse.ts'
import { CONTEXT_WORDS, isCommonest, isGuessed, JUDGED_LENGTH, PASSWORD_REFUSALS } from './rules.ts'

let judge: Promise<ZxcvbnFactory> | null = null

/** Refuses a password that is found at once, at its field; `words`: what everybody knows of the account. */
export async function refuseGuessed(
  password: string,
  words: readonly string[],
  field = 'newPassword',
): Promise<void> {
  judge ??= makeJudge()
  const { guessesLog10 } = (await judge).check(password.slice(0, JUDGED_LENGTH), [...words, ...CONTEXT_WORDS])
  if (isCommonest(password) || isGuessed(guessesLog10))
    throw new Refusal('PASSWORD_GUESSED', PASSWORD_REFUSALS.PASSWORD_GUESSED, { field })
}

async function makeJudge(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')])
  return new core.ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs })
}
