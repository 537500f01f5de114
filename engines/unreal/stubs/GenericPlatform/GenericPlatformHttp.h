#pragma once
struct FGenericPlatformHttp { static FString UrlEncode(const FString& Text) { return Text; } };
