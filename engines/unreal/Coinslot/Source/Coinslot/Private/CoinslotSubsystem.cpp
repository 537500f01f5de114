#include "CoinslotSubsystem.h"

#include "Async/Async.h"
#include "Containers/Ticker.h"
#include "Dom/JsonObject.h"
#include "GenericPlatform/GenericPlatformHttp.h"
#include "HttpModule.h"
#include "Interfaces/IHttpRequest.h"
#include "Interfaces/IHttpResponse.h"
#include "Misc/CoreDelegates.h"
#include "HAL/PlatformProcess.h"
#include "Serialization/JsonReader.h"
#include "Serialization/JsonSerializer.h"

namespace
{
	constexpr float PollSeconds = 2.f;
	constexpr float LongestSeconds = 900.f;

	TSharedPtr<FJsonObject> ReadAnswer(const FHttpResponsePtr& Response, bool bSucceeded)
	{
		TSharedPtr<FJsonObject> Answer;
		if (bSucceeded && Response.IsValid())
		{
			const TSharedRef<TJsonReader<>> Reader = TJsonReaderFactory<>::Create(Response->GetContentAsString());
			FJsonSerializer::Deserialize(Reader, Answer);
		}
		return Answer;
	}

	FString FieldOf(const TSharedPtr<FJsonObject>& Answer, const TCHAR* Name)
	{
		FString Value;
		if (Answer.IsValid()) Answer->TryGetStringField(Name, Value);
		return Value;
	}

	FString WriteJson(const FString& Text)
	{
		return TEXT("\"") + Text.Replace(TEXT("\\"), TEXT("\\\\")).Replace(TEXT("\""), TEXT("\\\"")) + TEXT("\"");
	}

	TSharedRef<IHttpRequest, ESPMode::ThreadSafe> MakeRequest(const FString& Url, const TCHAR* Verb, const FString& Authorization)
	{
		TSharedRef<IHttpRequest, ESPMode::ThreadSafe> Request = FHttpModule::Get().CreateRequest();
		Request->SetURL(Url);
		Request->SetVerb(Verb);
		Request->SetHeader(TEXT("Content-Type"), TEXT("application/json"));
		if (!Authorization.IsEmpty()) Request->SetHeader(TEXT("Authorization"), Authorization);
		return Request;
	}
}

void UCoinslotSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	ForegroundHandle = FCoreDelegates::ApplicationHasEnteredForegroundDelegate.AddUObject(this, &UCoinslotSubsystem::OnForeground);
	TickHandle = FTSTicker::GetCoreTicker().AddTicker(FTickerDelegate::CreateUObject(this, &UCoinslotSubsystem::OnTick), PollSeconds);
}

void UCoinslotSubsystem::Deinitialize()
{
	FCoreDelegates::ApplicationHasEnteredForegroundDelegate.Remove(ForegroundHandle);
	FTSTicker::GetCoreTicker().RemoveTicker(TickHandle);
	Super::Deinitialize();
}

bool UCoinslotSubsystem::IsSafe(const FString& Address)
{
	return Address.StartsWith(TEXT("https://")) || Address.StartsWith(TEXT("http://localhost:")) || Address.StartsWith(TEXT("http://127.0.0.1:"));
}

void UCoinslotSubsystem::Buy(const FString& Sku)
{
	TSharedRef<IHttpRequest, ESPMode::ThreadSafe> Request = MakeRequest(BackendUrl + TEXT("/api/buy"), TEXT("POST"), Authorization);
	Request->SetContentAsString(TEXT("{\"sku\":") + WriteJson(Sku) + TEXT("}"));
	TWeakObjectPtr<UCoinslotSubsystem> Weak(this);
	Request->OnProcessRequestComplete().BindLambda([Weak](FHttpRequestPtr, FHttpResponsePtr Response, bool bSucceeded)
	{
		UCoinslotSubsystem* Self = Weak.Get();
		if (Self == nullptr) return;
		const TSharedPtr<FJsonObject> Answer = ReadAnswer(Response, bSucceeded);
		const FString Address = FieldOf(Answer, TEXT("checkoutUrl"));
		if (!IsSafe(Address))
		{
			const FString Problem = FieldOf(Answer, TEXT("problem"));
			Self->OnFailed.Broadcast(Problem.IsEmpty() ? FString(TEXT("The shop cannot be reached.")) : Problem);
			return;
		}
		Self->Watch(FieldOf(Answer, TEXT("orderId")));
		FPlatformProcess::LaunchURL(*Address, nullptr, nullptr);
		Self->OnOpened.Broadcast(Self->OrderId);
	});
	Request->ProcessRequest();
}

void UCoinslotSubsystem::Watch(const FString& InOrderId)
{
	OrderId = InOrderId;
	WaitedSeconds = 0.f;
}

void UCoinslotSubsystem::OnForeground()
{
	// The delegate may be called from the platform's thread.
	TWeakObjectPtr<UCoinslotSubsystem> Weak(this);
	AsyncTask(ENamedThreads::GameThread, [Weak] { if (Weak.IsValid()) Weak.Get()->Look(); });
}

bool UCoinslotSubsystem::OnTick(float DeltaSeconds)
{
	if (OrderId.IsEmpty()) return true;
	WaitedSeconds += DeltaSeconds;
	if (WaitedSeconds > LongestSeconds) OrderId = FString();
	else Look();
	return true;
}

void UCoinslotSubsystem::Look()
{
	if (OrderId.IsEmpty() || bIsLooking) return;
	bIsLooking = true;
	const FString Asked = OrderId;
	const FString Url = BackendUrl + TEXT("/api/orders/") + FGenericPlatformHttp::UrlEncode(Asked);
	TSharedRef<IHttpRequest, ESPMode::ThreadSafe> Request = MakeRequest(Url, TEXT("GET"), Authorization);
	TWeakObjectPtr<UCoinslotSubsystem> Weak(this);
	Request->OnProcessRequestComplete().BindLambda([Weak, Asked](FHttpRequestPtr, FHttpResponsePtr Response, bool bSucceeded)
	{
		UCoinslotSubsystem* Self = Weak.Get();
		if (Self == nullptr) return;
		Self->bIsLooking = false;
		Self->OnStatus(Asked, FieldOf(ReadAnswer(Response, bSucceeded), TEXT("status")));
	});
	Request->ProcessRequest();
}

void UCoinslotSubsystem::OnStatus(const FString& Asked, const FString& Status)
{
	if (Asked != OrderId || Status.IsEmpty() || Status == TEXT("created") || Status == TEXT("pending")) return;
	OrderId = FString();
	const bool bIsGranted = Status == TEXT("authorized") || Status == TEXT("paid") || Status == TEXT("disputed");
	if (bIsGranted) OnGranted.Broadcast(Asked);
	else OnEnded.Broadcast(Asked, Status);
}
