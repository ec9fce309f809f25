// How each service that an office is set up with is connected, and the settings that connect it, in words.
import { perChannel } from '#kit/ports/channels.ts'
import type { ServiceName } from '#kit/ports/providers.ts'
import type { Connection, NeededSetting } from '#kit/ports/setup.ts'
import { roomOf } from '#providers/rooms.ts'
import type { Env } from '#server/env.ts'

const ALIYUN: readonly NeededSetting[] = [
  { name: 'SMS_PROVIDER', meaning: '短信服务商：aliyun 或 tencent', example: 'aliyun' },
  { name: 'SMS_SIGNATURE', meaning: '已通过审核的短信签名', example: '伙伴管家' },
  {
    name: 'SMS_RECEIPT_SECRET',
    meaning: '回执地址中的一段，16 位以上字母和数字',
    example: 'a1b2c3d4e5f6a7b8c9d0',
  },
  { name: 'ALIYUN_SMS_ACCESS_KEY_ID', meaning: '阿里云 AccessKey ID', example: 'LTAI5t0000000000000000' },
  {
    name: 'ALIYUN_SMS_ACCESS_KEY_SECRET',
    meaning: '阿里云 AccessKey Secret',
    example: '000000000000000000000000000000',
  },
]

const GEETEST: readonly NeededSetting[] = [
  { name: 'GEETEST_CAPTCHA_ID', meaning: '极验验证码 ID', example: '00000000000000000000000000000000' },
  { name: 'GEETEST_CAPTCHA_KEY', meaning: '极验验证码密钥', example: '00000000000000000000000000000000' },
]

const POS: readonly NeededSetting[] = [
  { name: 'POS_SERVICE_URL', meaning: '收银系统数据服务的地址', example: 'https://pos.example.com' },
  {
    name: 'POS_SERVICE_SECRET',
    meaning: '与收银系统约定的签名密钥',
    example: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  },
]

/** Where an office was given no outside service. */
export const NOT_CONNECTED: Readonly<Record<ServiceName, Connection>> = connectionsOf({}, false)

/** `outside`: settings as they were given; whether they are whole is judged where they are read. */
export function connectionsOf(
  outside: Env['outside'],
  isSimulated: boolean,
): Readonly<Record<ServiceName, Connection>> {
  const has = (...prefixes: string[]) =>
    Object.keys(outside).some(name => prefixes.some(prefix => name.startsWith(prefix)))
  const connection = (
    isGiven: boolean,
    needs: readonly NeededSetting[],
    standsIn = isSimulated,
  ): Connection => ({
    by: isGiven ? 'settings' : standsIn ? 'simulator' : 'none',
    needs,
  })
  return {
    ...perChannel(name => {
      const { prefix, needs, simulated } = roomOf(name)
      return connection(has(prefix), needs, isSimulated && simulated !== null)
    }),
    sms: connection(has('ALIYUN_SMS_', 'TENCENT_SMS_'), ALIYUN),
    // Our own puzzle stands in where no other is given, in a real office too.
    captcha: connection(has('GEETEST_CAPTCHA_', 'TENCENT_CAPTCHA_'), GEETEST, false),
    pos: connection(outside.POS_SERVICE_URL !== undefined, POS),
  }
}
