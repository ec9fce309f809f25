// Where outside services are reached, by the setting that names another place.

export const ADDRESSES = {
  WECHAT_PAY_BASE_URL: 'https://api.mch.weixin.qq.com',
  WECHAT_PAY_AUTHORIZE_BASE_URL: 'https://open.weixin.qq.com',
  WECHAT_PAY_TOKEN_BASE_URL: 'https://api.weixin.qq.com',
  ALIPAY_GATEWAY_URL: 'https://openapi.alipay.com/gateway.do',
  ALIPAY_BILL_ORIGIN: 'https://dwbillcenter.alipay.com',
  TIANQUE_BASE_URL: 'https://openapi.tianquetech.com',
  WECHAT_OPEN_BASE_URL: 'https://api.weixin.qq.com',
  ALIYUN_SMS_BASE_URL: 'https://dysmsapi.aliyuncs.com',
  TENCENT_SMS_BASE_URL: 'https://sms.tencentcloudapi.com',
  TENCENT_OCR_BASE_URL: 'https://ocr.tencentcloudapi.com',
  ALIYUN_OCR_BASE_URL: 'https://ocr-api.cn-hangzhou.aliyuncs.com',
  TENCENT_CAPTCHA_BASE_URL: 'https://captcha.tencentcloudapi.com',
  GEETEST_BASE_URL: 'https://gcaptcha4.geetest.com',
} as const

/** The address of each service of which anything is set, by the setting that names it. */
export function addressesOf(outside: Readonly<Record<string, string>>): Record<string, string> {
  const names = Object.keys(outside)
  const used = Object.entries(ADDRESSES).filter(([setting]) =>
    names.some(name => name.startsWith(serviceOf(setting))),
  )
  return {
    ...Object.fromEntries(used.map(([setting, address]) => [setting, outside[setting] ?? address])),
    ...(outside.POS_SERVICE_URL !== undefined && { POS_SERVICE_URL: outside.POS_SERVICE_URL }),
  }
}

/** `WECHAT_PAY_` of `WECHAT_PAY_TOKEN_BASE_URL`. */
const serviceOf = (setting: string) =>
  setting.replace(/((AUTHORIZE|TOKEN)_)?(BASE_URL|GATEWAY_URL|BILL_ORIGIN)$/, '')
