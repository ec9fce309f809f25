import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { pos as contract } from './contract-pos.ts'
import { posRouter as router } from './server-pos.ts'

export const feature = {
  pos: { contract, router },
  // A branch of its own, for keys: no page stands in it.
  permissions: permissionNodes([
    [8, null, 200, 'pos', '收银系统接口', '', '1', false],
    [801, 8, 201, 'pos.read', '读取店铺', '/pos/v1#read', '1'],
    [802, 8, 202, 'pos.secrets', '读取支付密钥', '/pos/v1#secrets', '1'],
    [803, 8, 203, 'pos.signIn', '校验登录', '/pos/v1#signIn', '1'],
    [804, 8, 204, 'pos.register', '注册店铺', '/pos/v1#register', '1'],
    [805, 8, 205, 'pos.write', '更新资料与申请', '/pos/v1#write', '1'],
    [806, 8, 206, 'pos.sms', '发送会员短信', '/pos/v1#sms', '1'],
  ]),
} satisfies Feature
