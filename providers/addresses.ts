// Where outside services are reached that are no payment channels, by the setting that names another place; of a channel its room says it.

export const ADDRESSES = {
  TIANQUE_BASE_URL: 'https://openapi.tianquetech.com',
  ALIYUN_SMS_BASE_URL: 'https://dysmsapi.aliyuncs.com',
  TENCENT_SMS_BASE_URL: 'https://sms.tencentcloudapi.com',
  TENCENT_OCR_BASE_URL: 'https://ocr.tencentcloudapi.com',
  ALIYUN_OCR_BASE_URL: 'https://ocr-api.cn-hangzhou.aliyuncs.com',
  TENCENT_CAPTCHA_BASE_URL: 'https://captcha.tencentcloudapi.com',
  GEETEST_BASE_URL: 'https://gcaptcha4.geetest.com',
} as const
