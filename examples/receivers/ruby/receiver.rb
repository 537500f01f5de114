# A Coinslot webhook receiver with Ruby's standard library. Run: WEBHOOK_SECRET=… PORT=4300 ruby receiver.rb
require 'json'
require 'openssl'
require 'socket'

SECRET = ENV.fetch('WEBHOOK_SECRET', '') # the S2S key, or the secret of the webhook
# With an empty or guessable secret any stranger could grant items.
abort 'Set WEBHOOK_SECRET to the signing secret: the S2S key, or the secret of the webhook.' if SECRET.strip.length < 8
TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 1024 * 1024
OK = [200, { status: 'ok' }].freeze
REASONS = { 200 => 'OK', 400 => 'Bad Request', 403 => 'Forbidden', 413 => 'Content Too Large', 422 => 'Unprocessable' }.freeze

# All of it follows from the journal: one line for each webhook that was handled. So a crash saves the grant and the
# key, or neither. In your game, save both in one transaction of its database.
INVENTORY = Hash.new { |all, player| all[player] = Hash.new(0) }
ANSWERED = {}
ORDERS = {}
JOURNAL = ENV.fetch('JOURNAL', 'granted.journal')
LOCK = Mutex.new

def signed?(headers, raw)
  timestamp = headers.fetch('x-service-signature-timestamp', '')
  return false unless timestamp.match?(/\A[0-9]{1,12}\z/)
  return false if (Time.now.to_i - timestamp.to_i).abs > TOLERANCE_SECONDS

  expected = OpenSSL::HMAC.hexdigest('SHA256', SECRET, "#{timestamp}.".b + raw)
  # During a rotation the previous secret signs in the second header.
  %w[x-service-signature x-service-signature-previous].any? do |name|
    OpenSSL.secure_compare(headers.fetch(name, ''), expected)
  end
end

def handle(event, say)
  kind, data = event.values_at('event_type', 'event_data')
  player = data['player_id']
  if kind == 'item.add' && player == 'banned'
    return [422, { code: 'declined', message: 'This player is banned.' }]
  end

  # The removal of a purchase that never arrived takes nothing, and a purchase that arrives after it gives nothing.
  last = ORDERS[data['order_id']]
  ORDERS[data['order_id']] = kind
  counts = kind == 'item.add' ? last != 'item.remove' : last == 'item.add' || data['grant'] == 'confirmed'
  return OK unless counts

  data['items'].each do |item|
    quantity = item.fetch('quantity', 1)
    INVENTORY[player][item['sku']] += kind == 'item.add' ? quantity : -quantity
    say.call "#{kind} #{player} #{item['sku']} #{INVENTORY[player][item['sku']]}"
  end
  OK
end

def handle_once(event, raw)
  LOCK.synchronize do
    key = event['idempotency_key']
    unless ANSWERED.key?(key)
      File.write(JOURNAL, "#{[raw].pack('m0')}\n", mode: 'ab')
      ANSWERED[key] = handle(event, method(:puts))
    end
    ANSWERED[key]
  end
end

def answer(headers, raw)
  return [403, { error: 'signature' }] unless signed?(headers, raw)

  event = JSON.parse(raw.force_encoding('UTF-8'))
  kind = event.is_a?(Hash) ? event['event_type'] : nil
  return OK if kind == 'webhook.test'
  return [400, { error: 'event_type' }] unless %w[item.add item.remove].include?(kind)

  # Answers when it is saved, and not before: a 2xx captures the money.
  handle_once(event, raw)
rescue JSON::ParserError
  [400, { error: 'not JSON' }]
end

# Your web framework does this part. Make sure that it gives you the raw body.
def serve(socket)
  socket.gets
  headers = {}
  while (line = socket.gets) && line != "\r\n"
    name, value = line.split(':', 2)
    headers[name.downcase] = value.to_s.strip
  end
  length = headers['content-length'].to_i
  too_large = length > MAX_BODY_BYTES
  status, body = too_large ? [413, { error: 'too large' }] : answer(headers, (socket.read(length) || '').b)
  text = JSON.generate(body)
  socket.write("HTTP/1.1 #{status} #{REASONS[status]}\r\ncontent-type: application/json\r\n" \
               "content-length: #{text.bytesize}\r\nconnection: close\r\n\r\n#{text}")
rescue SystemCallError, IOError
  nil # The client disconnected; it will send the webhook again.
ensure
  socket.close
end

(File.exist?(JOURNAL) ? File.readlines(JOURNAL) : []).each do |line|
  event = JSON.parse(line.unpack1('m').force_encoding('UTF-8'))
  ANSWERED[event['idempotency_key']] = handle(event, ->(_) {})
rescue JSON::ParserError
  nil # A line that a crash cut off was never answered.
end
File.write(JOURNAL, "\n", mode: 'ab')

$stdout.sync = true
server = TCPServer.new('127.0.0.1', ENV.fetch('PORT', '4300').to_i)
loop { Thread.new(server.accept) { |socket| serve(socket) } }
