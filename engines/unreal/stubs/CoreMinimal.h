// The few types of Unreal that the plugin uses, so that a test can check its syntax and types without Unreal.
#pragma once
using TCHAR = char16_t;
#define TEXT(text) u##text
#define UCLASS(...)
#define UPROPERTY(...)
#define UFUNCTION(...)
#define GENERATED_BODY() typedef UGameInstanceSubsystem Super; public:
#define COINSLOT_API
#define IMPLEMENT_MODULE(Class, Name) static Class Name##Module;

struct FString
{
	FString() {}
	FString(const TCHAR*) {}
	bool IsEmpty() const { return true; }
	bool StartsWith(const TCHAR*) const { return true; }
	FString Replace(const TCHAR*, const TCHAR*) const { return *this; }
	const TCHAR* operator*() const { return u""; }
};
inline FString operator+(const FString& Left, const FString&) { return Left; }
inline FString operator+(const TCHAR*, const FString& Right) { return Right; }
inline bool operator==(const FString&, const TCHAR*) { return true; }
inline bool operator!=(const FString&, const FString&) { return true; }

enum class ESPMode { NotThreadSafe, ThreadSafe };
template <class T, ESPMode Mode = ESPMode::ThreadSafe> struct TSharedPtr
{
	bool IsValid() const { return true; }
	T* operator->() const { return nullptr; }
};
template <class T, ESPMode Mode = ESPMode::ThreadSafe> struct TSharedRef
{
	T* operator->() const { return nullptr; }
};
template <class T> struct TWeakObjectPtr
{
	explicit TWeakObjectPtr(T*) {}
	T* Get() const { return nullptr; }
	bool IsValid() const { return true; }
};

struct FDelegateHandle {};
struct FTickerDelegate
{
	template <class T> static FTickerDelegate CreateUObject(T*, bool (T::*)(float)) { return {}; }
};
struct FTSTicker
{
	struct FDelegateHandle {};
	static FTSTicker& GetCoreTicker() { static FTSTicker Ticker; return Ticker; }
	FDelegateHandle AddTicker(const FTickerDelegate&, float) { return {}; }
	void RemoveTicker(FDelegateHandle) {}
};
template <class... Arguments> struct TStubDelegate { void Broadcast(Arguments...) const {} };
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(Name, Type, Parameter) using Name = TStubDelegate<Type>;
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(Name, TypeA, A, TypeB, B) using Name = TStubDelegate<TypeA, TypeB>;
