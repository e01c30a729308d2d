import type { Role } from '../../../../lib/http/roles.ts'
import type { Language } from '../../../../lib/language.ts'

/** Reason why Meydan disabled a webhook. */
export const disabledBecause: Record<Language, Record<'failing' | 'gone', (since: string) => string>> = {
  en: {
    failing: (since) => `No delivery has succeeded since ${since}.`,
    gone: () => 'The endpoint responded 410 Gone, which asks senders to stop.',
  },
  tr: {
    failing: (since) => `${since} tarihinden beri hiçbir teslimat başarılı olmadı.`,
    gone: () => 'Uç nokta 410 Gone yanıtı verdi; bu yanıt, gönderimin durdurulmasını ister.',
  },
}

/** Reasons of Meydan for a failed post, by their code. The words of a network are quoted. */
export const postFailedBecause: Record<Language, Record<string, string>> = {
  en: {
    account_disconnected: 'The account is disconnected. Connect it again, then retry.',
    account_paused: 'The account is paused. Resume it, then retry.',
    not_approved: 'The post, or a policy, was changed after its approval. Retry to ask for another one.',
    late: 'Meydan did not run for a long time before this attempt. Retry to publish the post now.',
    network_unavailable: 'The network could not be reached, even after several attempts.',
    unconfirmed: 'The response of the network was lost. The post may have been published.',
    workspace_deleted: 'The workspace was deleted before the post was published.',
  },
  tr: {
    account_disconnected: 'Hesabın bağlantısı kesilmiş. Yeniden bağlayın, sonra tekrar deneyin.',
    account_paused: 'Hesap duraklatılmış. Devam ettirin, sonra tekrar deneyin.',
    not_approved: 'Gönderi ya da bir onay kuralı, onaydan sonra değişti. Yeniden onay istemek için tekrar deneyin.',
    late: 'Bu denemeden önce Meydan uzun süre çalışmadı. Gönderiyi şimdi yayımlamak için tekrar deneyin.',
    network_unavailable: 'Birkaç denemeye rağmen sosyal ağa ulaşılamadı.',
    unconfirmed: 'Sosyal ağın yanıtı alınamadı. Gönderi yayımlanmış olabilir.',
    workspace_deleted: 'Çalışma alanı, gönderi yayımlanmadan önce silindi.',
  },
}

export const agentFailedBecause: Record<Language, Record<string, string>> = {
  en: {
    checks_failed: 'The texts of the model broke rules, also after it wrote them again.',
    source_failed: 'None of its sources could be read.',
    model_key_refused: 'The AI provider rejected the API key of the model.',
    model_unusable: 'The AI model is not configured correctly.',
    ai_refused: 'The AI provider rejected the prompt or a setting of the model.',
    ai_rate_limited: 'The AI provider accepted no more calls.',
    ai_unavailable: 'The AI provider could not be reached, even after several attempts.',
    canceled: 'The generation of the text was canceled.',
    error: 'An unexpected error occurred.',
  },
  tr: {
    checks_failed: 'Modelin metinleri, yeniden yazıldıktan sonra da kurallara uymadı.',
    source_failed: 'Kaynaklarından hiçbiri okunamadı.',
    model_key_refused: 'Yapay zekâ sağlayıcısı modelin API anahtarını reddetti.',
    model_unusable: 'Yapay zekâ modeli doğru yapılandırılmamış.',
    ai_refused: 'Yapay zekâ sağlayıcısı istemi ya da modelin bir ayarını reddetti.',
    ai_rate_limited: 'Yapay zekâ sağlayıcısı başka çağrı kabul etmedi.',
    ai_unavailable: 'Birkaç denemeye rağmen yapay zekâ sağlayıcısına ulaşılamadı.',
    canceled: 'Metnin üretilmesi iptal edildi.',
    error: 'Beklenmeyen bir hata oluştu.',
  },
}

export const twoFactorChange: Record<Language, Record<'on' | 'off' | 'codes', string>> = {
  en: {
    on: 'Two-factor authentication was turned on.',
    off: 'Two-factor authentication was turned off.',
    codes: 'The backup codes were renewed, and the previous ones no longer work.',
  },
  tr: {
    on: 'İki adımlı doğrulama açıldı.',
    off: 'İki adımlı doğrulama kapatıldı.',
    codes: 'Yedek kodlar yenilendi; öncekiler artık geçerli değil.',
  },
}

export const roleNames: Record<Language, Record<Role, string>> = {
  en: { viewer: 'viewer', author: 'author', editor: 'editor', admin: 'admin', owner: 'owner' },
  tr: { viewer: 'izleyici', author: 'yazar', editor: 'editör', admin: 'yönetici', owner: 'sahip' },
}
