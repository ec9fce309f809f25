// What the platform answers: to somebody who waits for it, in words of refusal; to a loop, each answer written down.
import type { MiniProgramPlatform, ProgramTrouble } from '#kit/ports/mini-programs.ts'
import { ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import type { Services } from '#server/ctx.ts'
import { Refusal } from '#server/refuse.ts'
import { platformOf } from './server-platform.ts'

/** Why a loop goes on asking. */
export const SILENT = '微信没有答复，将再次查询'

type Words = Readonly<Record<'NOT_CONNECTED' | 'PLATFORM_SILENT' | 'PLATFORM_REFUSED', string>>

/** Throws a Refusal of these words: without a platform, where it is busy or silent, and where it refuses, with its own words and what to do. */
export async function askPlatform<T>(
  services: Services,
  words: Words,
  ask: (platform: MiniProgramPlatform) => Promise<T>,
): Promise<T> {
  const platform = platformOf(services)
  if (!platform) throw new Refusal('NOT_CONNECTED', words.NOT_CONNECTED)
  try {
    return await ask(platform)
  } catch (error) {
    if (error instanceof ProviderBusy || error instanceof ProviderUnknown)
      throw new Refusal('PLATFORM_SILENT', words.PLATFORM_SILENT)
    if (!(error instanceof ProviderRefused)) throw error
    const trouble = platform.troubleOf(error)
    throw new Refusal('PLATFORM_REFUSED', `${words.PLATFORM_REFUSED}：${trouble.words}。${trouble.advice}`)
  }
}

/** `code`: the platform's number, empty where it has none. */
export type Answer = { title: string; code: string; words: string; advice: string; isTrouble: boolean }
export type Asked = <T>(title: string, ask: () => Promise<T>, say: (answer: T) => string) => Promise<T>

/** Asks, and adds what was answered to `answers`; what was refused or never came is thrown on. `underWay`: numbers that are no trouble. */
export function askedInto(
  answers: Answer[],
  platform: MiniProgramPlatform,
  underWay: readonly string[] = [],
): Asked {
  return async (title, ask, say) => {
    try {
      const answer = await ask()
      answers.push({ title, code: '0', words: say(answer), advice: '', isTrouble: false })
      return answer
    } catch (error) {
      answers.push(answerOf(platform, title, error, underWay))
      throw error
    }
  }
}

function answerOf(
  platform: MiniProgramPlatform,
  title: string,
  error: unknown,
  underWay: readonly string[],
): Answer {
  if (!(error instanceof ProviderRefused))
    return { title, code: '', words: SILENT, advice: '', isTrouble: true }
  const { words, advice } = platform.troubleOf(error)
  return { title, code: error.code, words, advice, isTrouble: !underWay.includes(error.code) }
}

/** In words why a loop could not go on; `isLater`: it asks again by itself. `turn` null: the platform has said nothing. A fault of ours is told to operators. */
export function failureOf(
  services: Services,
  platform: MiniProgramPlatform,
  error: unknown,
): { message: string; isLater: boolean; turn: ProgramTrouble['turn'] | null } {
  if (error instanceof ProviderRefused) {
    const { turn, words, advice } = platform.troubleOf(error)
    return {
      message: `${words}。${advice}`,
      isLater: error instanceof ProviderBusy || turn === 'later',
      turn,
    }
  }
  if (error instanceof ProviderUnknown) return { message: SILENT, isLater: true, turn: null }
  services.onProblem(error)
  return { message: '查询时出错，将再次尝试', isLater: true, turn: null }
}
