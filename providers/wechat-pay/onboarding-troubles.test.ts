import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OnboardingField, OnboardingTurn } from '#kit/ports/onboarding.ts'
import { fieldOf, placeOf } from './onboarding-fields.ts'
import { troubleOf } from './onboarding-troubles.ts'

const at = (path: string, why: string) => `输入源“/body/${path}”映射到字段“字段”${why}`

describe('what a refusal means', () => {
  const cases: [string, string, OnboardingTurn, OnboardingField | null][] = [
    ['NO_AUTH', '暂无权限，请确认后再试', 'account', null],
    ['SIGN_ERROR', '签名错误', 'account', null],
    ['MCH_NOT_EXISTS', '商户号不存在', 'account', null],
    ['SOMETHING_NEW', '未知', 'account', null],
    ['PARAM_ERROR', '平台私钥解密失败', 'account', null],
    ['RATE_LIMITED', '频率限制，请降低调用频率', 'later', null],
    ['FREQUENCY_LIMITED', '频率超限', 'later', null],
    ['RATELIMIT_EXCEEDED', '该商户当天修改结算账户次数已达上限，请第二天再发起修改', 'later', null],
    ['PROCESSING', '存在流程进行中的申请单，请检查是否重入', 'state', null],
    ['APPLYMENT_NOT_EXIST', '申请单不存在', 'state', null],
    ['APPLYMENTNOTEXIST', '申请单不存在', 'state', null],
    ['PARAM_ERROR', '未能找到申请单', 'state', null],
    ['INVALID_REQUEST', '申请单已结束，请更换业务申请编号重新提交', 'state', null],
    ['INVALID_REQUEST', '存在审核中的结算账户修改申请，请等待审核结果', 'state', null],
    ['PARAM_ERROR', '图片无效', 'pictures', null],
    [
      'PARAM_ERROR',
      at('subject_info/identity_info/id_card_info/id_card_copy', '图片无效，请重新上传'),
      'pictures',
      'idFront',
    ],
    ['PARAM_ERROR', '图片文件大小不能超过2M', 'pictures', null],
    ['PARAM_ERROR', '身份证号码与营业执照不匹配', 'data', 'idNumber'],
    ['PARAM_ERROR', '开户银行取值有误', 'data', 'accountBank'],
    ['PARAM_ERROR', 'UBO信息重复提交,请修改', 'data', 'owners'],
    ['INVALID_REQUEST', '商户简称含有敏感词，请修改', 'data', 'shortName'],
    ['INVALID_REQUEST', '商户名称含有敏感词', 'data', null],
    ['INVALID_REQUEST', '该主体在微信支付的商户号数量已达上限', 'data', 'licenceNumber'],
    [
      'PARAM_ERROR',
      at('contact_info/mobile_phone', '必填性规则校验失败，此字段为必填项'),
      'data',
      'administratorPhone',
    ],
    ['PARAM_ERROR', at('nobody/knows', '有误'), 'data', null],
    ['PARAM_ERROR', '', 'data', null],
  ]
  for (const [code, message, turn, field] of cases)
    test(`${code}: ${message}`, () => {
      const trouble = troubleOf({ code, message })
      assert.deepEqual([trouble.turn, trouble.field], [turn, field])
      assert.match(trouble.words, /[一-鿿]{4}/)
    })
})

test('a field is known by its name alone and at the end of a path', () => {
  assert.equal(fieldOf('id_card_copy'), 'idFront')
  assert.equal(fieldOf('/body/business_info/sales_info/biz_store_info/indoor_pic/0'), 'indoorPictures')
  assert.equal(fieldOf('business_info.sales_info.biz_store_info.store_entrance_pic[1]'), 'entrancePictures')
  assert.equal(fieldOf('subject_info.ubo_info_list.0.ubo_id_doc_name'), 'ownerName')
  assert.equal(fieldOf('/body/subject_info/ubo_info_list/0'), 'owners')
  assert.deepEqual(placeOf('/body/subject_info/ubo_info_list/1/ubo_id_doc_number'), { place: 1 })
  assert.deepEqual(placeOf('ubo_id_doc_number'), {}, 'the service does not always say of whom')
  assert.equal(fieldOf(''), null)
})
