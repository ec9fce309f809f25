// What the platform says of a name, while it is typed. Where nobody can say, that is said, and nothing is kept back.
import { platformOf, someProgram } from '#features/programs/platform/server-platform.ts'
import type { MiniProgram, MiniProgramPlatform } from '#kit/ports/mini-programs.ts'
import { ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import type { Verb } from '#server/ctx.ts'
import type { programApplications as contract } from './contract.ts'
import { askableName, NAME_STANDINGS, type NameStanding } from './rules.ts'

/** Of the platform: the name may be had by whoever proves a right to it. */
const WANTS_PROOF = '91009'

const told = (standing: NameStanding, because = '') => ({
  standing,
  words: because === '' ? NAME_STANDINGS[standing] : `${NAME_STANDINGS[standing]}：${because}`,
})

export const checkName: Verb<typeof contract.checkName> = async ({ services }, { name }) => {
  const asked = askableName(name)
  if (asked === null) return told('unavailable')
  const platform = platformOf(services)
  if (!platform) return told('unknown', '还没有连接微信第三方平台')
  const program = await someProgram(services)
  if (!program) return told('unknown', '平台还没有已授权的小程序')
  return nameStanding(platform, program, asked)
}

/** What the platform says of a name that may be asked about. */
export async function nameStanding(
  platform: MiniProgramPlatform,
  program: Pick<MiniProgram, 'checkName'>,
  asked: string,
): Promise<ReturnType<typeof told>> {
  try {
    const proof = await program.checkName(asked)
    return proof === null ? told('available') : told('proof', proof)
  } catch (error) {
    if (error instanceof ProviderRefused) {
      const { turn, words } = platform.troubleOf(error)
      if (error.code === WANTS_PROOF) return told('proof', words)
      // What is wrong with the program through which it was asked says nothing of the name.
      return turn === 'data' ? told('unavailable', words) : told('unknown', words)
    }
    if (error instanceof ProviderUnknown) return told('unknown', '微信没有答复')
    throw error
  }
}
